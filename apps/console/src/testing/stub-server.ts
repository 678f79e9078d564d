import { ApiError, type ErrorCode, errors, toErrorAnswer } from '@opensocial/contract';
import { vi } from 'vitest';

type Answer = { status: number; body: unknown };
type Request = { path: string; headers: Headers; body: unknown };

export const answer = (body: unknown): Answer => ({ status: 200, body });

export const refusal = (code: ErrorCode): Answer => ({
  status: errors[code].status,
  body: toErrorAnswer(new ApiError(code)),
});

/** A body that is not JSON, as from a reverse proxy. */
class Text {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export const textAnswer = (status: number, text: string): Answer => ({ status, body: new Text(text) });

/** Stubs `fetch`: answers by 'METHOD /path' and returns the list of requests. */
export const stubServer = (answers: Record<string, Answer | Promise<Answer>>): Request[] => {
  const asked: Request[] = [];
  const respond = async (input: string, init: RequestInit = {}) => {
    const path = input.split('?')[0] ?? '';
    asked.push({ path: input, headers: new Headers(init.headers), body: init.body && JSON.parse(init.body as string) });
    const { status, body } = (await answers[`${init.method} ${path}`]) ?? refusal('not_found');
    return new Response(body instanceof Text ? body.text : JSON.stringify(body), { status });
  };
  vi.stubGlobal('fetch', respond);
  return asked;
};
