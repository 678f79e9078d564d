/** `fetch` over XMLHttpRequest, because the browser's fetch does not report the progress of an upload. */
export const fetchWithProgress =
  (onProgress: (percent: number) => void): typeof fetch =>
  (input, { method = 'GET', headers, body, signal } = {}) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(method, input instanceof Request ? input.url : input);
      for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value);
      request.upload.addEventListener('progress', ({ loaded, total }) => {
        if (total > 0) onProgress(Math.floor((loaded / total) * 100));
      });
      request.addEventListener('load', () => resolve(toResponse(request)));
      request.addEventListener('error', () => reject(new TypeError('Failed to fetch')));
      request.addEventListener('abort', () => reject(new DOMException('Given up', 'AbortError')));
      signal?.addEventListener('abort', () => request.abort());
      // XMLHttpRequest does not accept streams as a body. No call has one.
      request.send(body as XMLHttpRequestBodyInit);
    });

const toResponse = (request: XMLHttpRequest): Response => {
  const retryAfter = request.getResponseHeader('retry-after');
  return new Response(request.responseText, {
    status: request.status,
    headers: retryAfter === null ? {} : { 'retry-after': retryAfter },
  });
};
