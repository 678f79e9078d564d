import { request } from 'node:http';
import { type Caller, client } from '@opensocial/contract';
import type { InjectOptions } from 'fastify';
import { Browser, type Injected } from './browser.ts';
import { testOrigin } from './test-parts.ts';

/**
 * A test browser that talks to a server in another process, or to several in turn. Their PUBLIC_URL is that of the
 * tests, as if a proxy were in front of them.
 */
export const browserAt = (...addresses: [string, ...string[]]): Browser => {
  let sent = 0;
  const inject = async (options: InjectOptions) => {
    sent += 1;
    return send(addresses[sent % addresses.length] ?? addresses[0], await encodeForm(options));
  };
  return new Browser({ inject });
};

/** A browser with an address of its own, as a trusted proxy reports it. */
export const browserOf = (server: string, address: string): Browser =>
  new Browser({
    inject: (options) => send(server, { ...options, headers: { ...options.headers, 'x-forwarded-for': address } }),
  });

/** The typed client with the cookies of a browser, like the console uses it. */
export const callerOf = (browser: Browser): Caller =>
  client({
    origin: testOrigin,
    fetch: (url, init) => browser.fetch(url as string, init, { 'sec-fetch-site': 'same-origin' }),
  });

/** Signs in to the console with a password, through the whole SAML flow. */
export const signIn = async (browser: Browser, credentials: { email: string; password: string }): Promise<Browser> => {
  const answer = await browser.submit(await browser.get('/server/saml/login'), credentials);
  if (!answer.form?.fields['SAMLResponse']) throw new Error(`No sign-in: ${answer.status} ${answer.html}`);
  await browser.submit(answer);
  return browser;
};

/** A form with a file, as bytes. */
const encodeForm = async (options: InjectOptions): Promise<InjectOptions> => {
  if (!(options.payload instanceof FormData)) return options;
  const encoded = new Response(options.payload);
  const headers = { ...options.headers, 'content-type': encoded.headers.get('content-type') ?? '' };
  return { ...options, headers, payload: Buffer.from(await encoded.arrayBuffer()) };
};

const send = (address: string, { method, url, headers, payload }: InjectOptions): Promise<Injected> =>
  new Promise((resolve, reject) => {
    const asked = request(new URL(url as string, address), { method, headers } as object, async (response) => {
      try {
        const rawPayload = Buffer.concat(await response.toArray());
        const cookies = (response.headers['set-cookie'] ?? []).map(toCookie);
        const { statusCode = 0 } = response;
        resolve({ statusCode, headers: response.headers, rawPayload, payload: rawPayload.toString(), cookies });
      } catch (error) {
        reject(error);
      }
    });
    asked.on('error', reject).end(payload);
  });

const toCookie = (line: string) => {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
  const expires = /expires=([^;]+)/i.exec(line)?.[1];
  return { name, value: decodeURIComponent(value), ...(expires && { expires: new Date(expires) }) };
};
