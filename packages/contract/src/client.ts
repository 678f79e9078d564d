import type { Answer, AnyCall, Input, Upload } from './call.ts';
import { ApiError, type ErrorAnswer, errors } from './errors.ts';

export type Caller = <C extends AnyCall>(declared: C, input: Input<C>, signal?: AbortSignal) => Promise<Answer<C>>;

/** A typed caller for every call, over any fetch. It throws `ApiError`; what to show is the screen's business. */
export const client =
  (options: { fetch: typeof fetch; origin?: string; headers?: () => Record<string, string> }): Caller =>
  async (declared, input, signal) => {
    const { params = {}, query, body, file } = input as Parts;
    const asked = new URLSearchParams(query).toString();
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
    const answer: unknown = await response.json().catch(() => undefined);
    if (!response.ok) throw toError(response, answer);
    return answer as Answer<typeof declared>;
  };

type Parts = { params?: object; query?: Record<string, string>; body?: unknown; file?: File };

/** The fields come first, so that the server knows whose file it is before it takes it. */
const toForm = (upload: Upload, body: unknown, file: File | undefined): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(body as object)) if (value !== undefined) form.append(name, String(value));
  if (file) form.append(upload.field, file);
  return form;
};

const toError = (response: Response, answer: unknown): ApiError => {
  const retryAfter = Number(response.headers.get('retry-after')) || undefined;
  const detail = { cause: answer, status: response.status, ...(retryAfter !== undefined && { retryAfter }) };
  if (isErrorAnswer(answer)) return new ApiError(answer.error, { ...detail, message: answer.message });
  const code = response.status === 401 ? 'auth_required' : response.status >= 502 ? 'unavailable' : 'internal';
  return new ApiError(code, { ...detail, message: `The server answered ${response.status}.` });
};

const isErrorAnswer = (answer: unknown): answer is ErrorAnswer =>
  typeof answer === 'object' &&
  answer !== null &&
  'error' in answer &&
  'message' in answer &&
  String(answer.error) in errors;
