import type { Answer, AnyCall, Input, Upload } from './call.ts';
import { readErrorBody } from './error-body.ts';
import { ApiError, type ErrorCode } from './errors.ts';

export type Caller = <C extends AnyCall>(declared: C, input: Input<C>, signal?: AbortSignal) => Promise<Answer<C>>;

/** A typed client for every call, over any `fetch`. It throws `ApiError`; the screen decides what to show. */
export const client =
  (options: { fetch: typeof fetch; origin?: string; headers?: () => Record<string, string> }): Caller =>
  async (declared, input, signal) => {
    const { params = {}, query, body, file } = input as Parts;
    const asked = new URLSearchParams(given(query)).toString();
    const build = declared.path.build as (params: object) => string;
    const response = await options.fetch(`${options.origin ?? ''}${build(params)}${asked && `?${asked}`}`, {
      method: declared.method,
      headers: {
        accept: 'application/json',
        ...(body !== undefined && !declared.upload && { 'content-type': 'application/json' }),
        ...options.headers?.(),
      },
      ...(body !== undefined && { body: declared.upload ? toForm(declared.upload, body, file) : JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    if (!response.ok) throw toError(response, await response.text().catch(() => ''));
    return (await response.json().catch(() => undefined)) as Answer<typeof declared>;
  };

type Parts = { params?: object; query?: Record<string, string | undefined>; body?: unknown; file?: File };

const given = (query: Record<string, string | undefined> = {}): [string, string][] =>
  Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));

/** The fields come before the file, so that the server can check access before it receives the file. */
const toForm = (upload: Upload, body: unknown, file: File | undefined): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(body as object)) if (value !== undefined) form.append(name, String(value));
  if (file) form.append(upload.field, file);
  return form;
};

/** §8: the server's message, otherwise its error or data text, otherwise the HTTP status. */
const toError = (response: Response, body: string): ApiError => {
  const retryAfter = Number(response.headers.get('retry-after')) || undefined;
  const said = readErrorBody(body);
  return new ApiError(said.code ?? codeOf(response.status), {
    cause: said,
    status: response.status,
    message: said.message ?? said.error ?? said.data ?? `The server answered ${response.status}.`,
    ...(retryAfter !== undefined && { retryAfter }),
  });
};

const codeOf = (status: number): ErrorCode => {
  if (status === 401) return 'auth_required';
  return status >= 502 ? 'unavailable' : 'internal';
};
