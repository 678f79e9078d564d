import { createHash } from 'node:crypto';
import type { sites } from '../../database/schema.ts';
import { newToken } from '../../secrets/tokens.ts';
import type { Browser, Page } from './browser.ts';
import { password } from './builders.ts';
import { makeOidcSite } from './relying-party.ts';
import type { TestApp } from './test-app.ts';

type Fields = Record<string, string>;
export type Answer = { status: number; body: Record<string, unknown>; text: string; headers: Record<string, unknown> };
export type Tokens = { access: string; refresh: string; id: string };
export type Code = { code: string; verifier: string };

export const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

/** The parameters that an address has got, in the query or in the fragment. */
export const parametersOf = ({ url }: Pick<Page, 'url'>): Fields => {
  const { searchParams, hash } = new URL(url);
  return { ...Object.fromEntries(new URLSearchParams(hash.slice(1))), ...Object.fromEntries(searchParams) };
};

/** An OpenID Connect client that sends any parameters and checks nothing, for tests of what the provider refuses. */
export class OidcClient {
  readonly #testApp: TestApp;
  readonly site: typeof sites.$inferSelect;
  readonly network: string;
  secret: string;

  constructor(testApp: TestApp, made: { site: OidcClient['site']; secret: string }, network = 'northlab') {
    this.#testApp = testApp;
    this.site = made.site;
    this.secret = made.secret;
    this.network = network;
  }

  static async of(testApp: TestApp, draft: Parameters<typeof makeOidcSite>[1] = {}): Promise<OidcClient> {
    return new OidcClient(testApp, await makeOidcSite(testApp, draft), draft.network);
  }

  get id(): string {
    return this.site.identity;
  }

  get redirectUri(): string {
    return this.site.oidc?.redirect_uris[0] ?? '';
  }

  /** The address of an authorization request. A parameter that is undefined is left out. */
  authorizationUrl(changes: Record<string, string | undefined> = {}): string {
    const parameters = {
      client_id: this.id,
      response_type: 'code',
      redirect_uri: this.redirectUri,
      scope: 'openid profile email groups',
      state: 'a state',
      ...changes,
    };
    const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return `/oidc/${this.network}/auth?${new URLSearchParams(given)}`;
  }

  /** Signs a person in with the session of the browser, or with a password if it has none. */
  async code(browser: Browser, email?: string, changes: Record<string, string | undefined> = {}): Promise<Code> {
    const verifier = newToken();
    const url = this.authorizationUrl({
      code_challenge: challengeOf(verifier),
      code_challenge_method: 'S256',
      ...changes,
    });
    const first = await browser.get(url);
    const last = email === undefined ? first : await browser.submit(first, { email, password });
    const code = last.url.startsWith(this.redirectUri) ? parametersOf(last)['code'] : undefined;
    if (code === undefined) throw new Error(`There is no code: ${last.status} ${last.url} ${last.html.slice(0, 500)}`);
    return { code, verifier };
  }

  /** Posts a form to an endpoint, with the secret of the client unless the headers say otherwise. */
  async post(endpoint: string, fields: Fields | string, headers: Fields = this.basic()): Promise<Answer> {
    const answer = await this.#testApp.app.inject({
      method: 'POST',
      url: `/oidc/${this.network}/${endpoint}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json', ...headers },
      payload: new URLSearchParams(fields).toString(),
    });
    return toAnswer(answer);
  }

  basic(secret = this.secret): Fields {
    return { authorization: `Basic ${Buffer.from(`${this.id}:${secret}`).toString('base64')}` };
  }

  exchange({ code, verifier }: Code, changes: Fields = {}, headers?: Fields): Promise<Answer> {
    const fields = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: this.redirectUri };
    return this.post('token', { ...fields, ...changes }, headers);
  }

  refresh(token: string, changes: Fields = {}): Promise<Answer> {
    return this.post('token', { grant_type: 'refresh_token', refresh_token: token, ...changes });
  }

  /** Tokens of a sign-on, with a refresh token. */
  async tokens(browser: Browser, email?: string, changes: Record<string, string | undefined> = {}): Promise<Tokens> {
    const code = await this.code(browser, email, { scope: 'openid profile email groups offline_access', ...changes });
    return toTokens(await this.exchange(code));
  }

  async userinfo(token: string): Promise<Answer> {
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
    return toAnswer(await this.#testApp.app.inject({ url: `/oidc/${this.network}/userinfo`, headers }));
  }

  async isActive(token: string): Promise<boolean> {
    return (await this.post('introspect', { token })).body['active'] === true;
  }
}

const toAnswer = ({ statusCode, payload, headers }: Awaited<ReturnType<TestApp['app']['inject']>>): Answer => ({
  status: statusCode,
  body: payload.startsWith('{') ? (JSON.parse(payload) as Answer['body']) : {},
  text: payload,
  headers,
});

export const toTokens = ({ status, body, text }: Answer): Tokens => {
  if (status !== 200) throw new Error(`There are no tokens: ${status} ${text.slice(0, 300)}`);
  return {
    access: String(body['access_token']),
    refresh: String(body['refresh_token']),
    id: String(body['id_token']),
  };
};

/** The claims of a token, without a check of its signature. */
export const claimsIn = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;
