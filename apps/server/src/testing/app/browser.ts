import type { Readable } from 'node:stream';
import type { InjectOptions } from 'fastify';
import { type Form, formOf, unescape } from './shown-form.ts';
import { testOrigin } from './test-parts.ts';

export type Page = {
  status: number;
  url: string;
  html: string;
  headers: Record<string, string>;
  form: Form | undefined;
};

export type Injected = {
  statusCode: number;
  headers: Record<string, unknown>;
  rawPayload: Buffer;
  payload: string;
  cookies: { name: string; value: string; path?: string; maxAge?: number; expires?: Date }[];
  /** Only of an app in this process. */
  stream?: () => Readable;
};

/** Sends a request to the server: an app in this process, or a client of another one. */
export type Transport = { inject: (options: InjectOptions) => Promise<Injected> };

/**
 * A headless client: it stores cookies, follows redirects within our own origin and submits the forms it is shown. The
 * end-to-end tests cover what only a real browser can do.
 */
export class Browser {
  readonly cookies = new Map<string, string>();
  /** The cookies for a part of the site, by their path. */
  readonly pathCookies = new Map<string, Map<string, string>>();
  readonly #app: Transport;

  constructor(app: Transport) {
    this.#app = app;
  }

  async get(url: string, headers: Record<string, string> = {}): Promise<Page> {
    return this.#follow(url, { method: 'GET', headers });
  }

  async post(url: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Page> {
    const form = { 'content-type': 'application/x-www-form-urlencoded', ...headers };
    return this.#follow(url, { method: 'POST', payload: new URLSearchParams(fields).toString(), headers: form });
  }

  /** Submits the form of a page, with some fields filled in. */
  async submit(page: Page, fields: Record<string, string> = {}): Promise<Page> {
    if (!page.form)
      throw new Error(`There is no form on ${page.url} (${page.status}): ${textOf(page.html).slice(0, 300)}`);
    return this.post(page.form.action, { ...page.form.fields, ...fields });
  }

  async fetch(url: string, init: RequestInit = {}, headers: Record<string, string> = {}): Promise<Response> {
    const options: InjectOptions = {
      method: init.method ?? 'GET',
      headers: { ...headers, ...(init.headers as Record<string, string>) },
      ...(init.body !== undefined && init.body !== null && { payload: init.body as string }),
    };
    const answer = await this.#send(url, options);
    return new Response(new Uint8Array(answer.rawPayload), {
      status: answer.statusCode,
      headers: toHeaders(answer.headers),
    });
  }

  /** Requests server-sent events: the status, and the text as it arrives. */
  async listen(url: string): Promise<{ status: number; stream: Readable }> {
    const answer = await this.#send(url, { method: 'GET', payloadAsStream: true });
    if (!answer.stream) throw new Error('Only an app in this process has streams.');
    return { status: answer.statusCode, stream: answer.stream() };
  }

  async #follow(url: string, options: InjectOptions): Promise<Page> {
    let at = new URL(url, testOrigin);
    let answer = await this.#send(at.href, options);
    for (let hops = 0; hops < 10; hops += 1) {
      const target = targetOf(answer);
      if (target === undefined) break;
      const next = new URL(target, at);
      if (next.origin !== testOrigin && answer.statusCode !== 303) break;
      if (next.origin !== testOrigin)
        return { status: 303, url: next.href, html: '', headers: toHeaders(answer.headers), form: undefined };
      at = next;
      answer = await this.#send(at.href, { method: 'GET' });
    }
    const html = answer.payload;
    return { status: answer.statusCode, url: at.href, html, headers: toHeaders(answer.headers), form: formOf(html) };
  }

  async #send(url: string, options: InjectOptions) {
    const { pathname, search, host } = new URL(url, testOrigin);
    const narrow = [...this.pathCookies].filter(([path]) => pathname === path || pathname.startsWith(`${path}/`));
    const cookie = [...narrow.flatMap(([, jar]) => [...jar]), ...this.cookies]
      .map(([name, value]) => `${name}=${value}`)
      .join('; ');
    const headers = { host, ...(cookie && { cookie }), ...options.headers };
    const answer = await this.#app.inject({ ...options, url: pathname + search, headers });
    for (const { name, value, path = '/', maxAge, expires } of answer.cookies) {
      const jar = this.#jarOf(path);
      if (maxAge === 0 || (expires && expires.getTime() <= Date.now())) jar.delete(name);
      else jar.set(name, value);
    }
    return answer;
  }

  #jarOf(path: string): Map<string, string> {
    if (path === '/') return this.cookies;
    const jar = this.pathCookies.get(path) ?? new Map<string, string>();
    this.pathCookies.set(path, jar);
    return jar;
  }
}

/** Where a redirect, or a page that refreshes itself at once, leads to. */
const targetOf = ({ statusCode, headers, payload }: Injected): string | undefined => {
  if (statusCode === 303) return String(headers['location']);
  const [, url] = /<meta http-equiv="refresh" content="0; url=([^"]+)"/i.exec(payload) ?? [];
  return url === undefined ? undefined : unescape(url);
};

const toHeaders = (headers: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

/** The visible text of a page. */
export const textOf = (html: string): string =>
  unescape(html.replaceAll(/<(style|script|title)[^]*?<\/\1>/g, '').replaceAll(/<[^>]+>/g, ' '))
    .replaceAll(/\s+/g, ' ')
    .trim();
