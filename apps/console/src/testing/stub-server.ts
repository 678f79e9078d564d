import { type ErrorCode, errors } from '@opensocial/contract';
import { vi } from 'vitest';

type Answer = { status: number; body: unknown };
type Request = { path: string; headers: Headers; body: unknown };

export const answer = (body: unknown): Answer => ({ status: 200, body });

export const refusal = (code: ErrorCode): Answer => ({
  status: errors[code].status,
  body: { error: code, message: errors[code].message },
});

/** Stands in for the network: answers by 'METHOD /path', and keeps what was asked. */
export const stubServer = (answers: Record<string, Answer | Promise<Answer>>): Request[] => {
  const asked: Request[] = [];
  const respond = async (input: string, init: RequestInit = {}) => {
    const path = input.split('?')[0] ?? '';
    asked.push({ path: input, headers: new Headers(init.headers), body: init.body && JSON.parse(init.body as string) });
    const { status, body } = (await answers[`${init.method} ${path}`]) ?? refusal('not_found');
    return new Response(JSON.stringify(body), { status });
  };
  vi.stubGlobal('fetch', respond);
  return asked;
};
