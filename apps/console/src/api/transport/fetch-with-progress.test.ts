import { expect, test, vi } from 'vitest';
import { stubUpload } from '../../testing/stub-upload.ts';
import { fetchWithProgress } from './fetch-with-progress.ts';

const start = (signal?: AbortSignal) => {
  const sent = stubUpload();
  const onProgress = vi.fn();
  const answered = fetchWithProgress(onProgress)('/prxy/api/image_upload', {
    method: 'POST',
    headers: { 'x-csrf': 'proof' },
    body: new FormData(),
    ...(signal && { signal }),
  });
  return { onProgress, answered, sending: sent[0] };
};

test('§4 upload: reports the progress and resolves like fetch', async () => {
  const { onProgress, answered, sending } = start();
  expect(sending?.path).toBe('POST /prxy/api/image_upload');
  expect(sending?.headers.get('x-csrf')).toBe('proof');
  sending?.progress(41.9);
  expect(onProgress).toHaveBeenCalledWith(41);
  Object.assign(sending ?? {}, { retryAfter: '30' });
  sending?.answer(429, { error: 'too_many' });
  const response = await answered;
  expect(response.status).toBe(429);
  expect(response.headers.get('retry-after')).toBe('30');
  expect(await response.json()).toEqual({ error: 'too_many' });
});

test('§4 upload: a missing response is a network error', async () => {
  const { answered, sending } = start();
  sending?.fail();
  await expect(answered).rejects.toThrow(TypeError);
});

test('§4 upload: an aborted upload stops sending', async () => {
  const controller = new AbortController();
  const { answered, sending } = start(controller.signal);
  controller.abort();
  expect(sending?.isAborted).toBe(true);
  await expect(answered).rejects.toMatchObject({ name: 'AbortError' });
});
