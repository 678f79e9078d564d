import { type Form, formOf, unescape } from '../apps/server/src/testing/app/shown-form.ts';

export type Seen = { url: string; status: number; text: string; form: Form | undefined };

type Send = { method?: 'GET' | 'POST'; body?: string; headers?: Record<string, string> };

/** The request by which a page at an address submits a form. */
const toPost = (url: string, fields: Record<string, string>): Send => ({
  method: 'POST',
  body: new URLSearchParams(fields).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded', origin: new URL(url).origin },
});

/** A chain of redirects and forms that is longer than this never ends. */
const maximumSteps = 20;

/**
 * A browser without scripts: it stores cookies, follows redirects, also those in pages, and submits the SAML forms that pages submit by
 * script. As in a browser, cookies belong to a host and not to its port.
 */
export class Visitor {
  readonly #cookies = new Map<string, Map<string, string>>();

  readonly credentials: { email: string; password: string };

  constructor(credentials: { email: string; password: string }) {
    this.credentials = credentials;
  }

  /** Opens a page. Signs in on the way if the identity provider asks for it. */
  async open(url: string): Promise<Seen> {
    let seen = await this.#request(url);
    for (let step = 0; step < maximumSteps; step += 1) {
      const next = this.#next(seen);
      if (!next) return seen;
      seen = await this.#request(next.url, next.send);
    }
    throw new Error(`${url} led to more than ${maximumSteps} pages, the last one ${seen.url}.`);
  }

  /** Submits the form of a page, such as a question that the person answers with the only button. */
  async submit({ url, form }: Seen): Promise<Seen> {
    if (!form) throw new Error(`There is no form on ${url}.`);
    return this.#request(new URL(form.action, url).href, toPost(url, form.fields));
  }

  /** Forgets the cookies of a host, so that its next page begins a new sign-on. */
  forget(hostname: string): void {
    this.#cookies.delete(hostname);
  }

  /** A call of the console's API with the cookies of this visitor. */
  fetch = async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const target = new URL(url);
    const response = await fetch(target, {
      ...init,
      headers: { 'sec-fetch-site': 'same-origin', ...(init.headers as object), cookie: this.#cookieFor(target) },
    });
    this.#store(target, response);
    return response;
  };

  #next({ url, form, text }: Seen): { url: string; send: Send } | undefined {
    const refresh = /<meta http-equiv="refresh" content="0; url=([^"]+)"/.exec(text)?.[1];
    if (refresh !== undefined) return { url: new URL(unescape(refresh), url).href, send: {} };
    if (!form) return undefined;
    const action = new URL(form.action, url).href;
    const isMessage = 'SAMLRequest' in form.fields || 'SAMLResponse' in form.fields;
    const isSignIn = 'password' in form.fields;
    if (!isMessage && !isSignIn) return undefined;
    const fields = { ...form.fields, ...(isSignIn && this.credentials) };
    return { url: action, send: toPost(url, fields) };
  }

  async #request(url: string, send: Send = {}): Promise<Seen> {
    let [at, sending] = [new URL(url), send];
    for (let step = 0; step < maximumSteps; step += 1) {
      const response = await fetch(at, {
        ...sending,
        headers: { ...sending.headers, cookie: this.#cookieFor(at) },
        redirect: 'manual',
      });
      this.#store(at, response);
      const location = response.headers.get('location');
      if (response.status < 300 || response.status > 399 || location === null) {
        const text = await response.text();
        return { url: at.href, status: response.status, text, form: formOf(text) };
      }
      await response.body?.cancel();
      at = new URL(location, at);
      if (![307, 308].includes(response.status)) sending = {};
    }
    throw new Error(`${url} was redirected more than ${maximumSteps} times.`);
  }

  #cookieFor({ hostname }: URL): string {
    return [...(this.#cookies.get(hostname) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  #store({ hostname }: URL, response: Response): void {
    const jar = this.#cookies.get(hostname) ?? new Map<string, string>();
    this.#cookies.set(hostname, jar);
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      const expires = /expires=([^;]+)/i.exec(line)?.[1];
      const isGone = /max-age=(?:0|-)/i.test(line) || (expires !== undefined && Date.parse(expires) <= Date.now());
      if (isGone) jar.delete(name);
      else jar.set(name, value);
    }
  }
}
