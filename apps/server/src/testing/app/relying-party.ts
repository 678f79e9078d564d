import type { OidcParameters } from '@opensocial/contract';
import * as oidc from 'openid-client';
import { oidcSecrets, type sites } from '../../database/schema.ts';
import { hashToken, newToken, newUid } from '../../secrets/tokens.ts';
import { type Browser, type Page, textOf } from './browser.ts';
import { makeSite, oidcParameters, type SiteDraft } from './builders.ts';
import type { TestApp } from './test-app.ts';
import { testOrigin } from './test-parts.ts';

type Site = typeof sites.$inferSelect;

/** A site that uses OpenID Connect, and its secret. */
export const makeOidcSite = async (
  { db }: Pick<TestApp, 'db'>,
  { oidc: changes, ...draft }: Omit<SiteDraft, 'oidc'> & { oidc?: Partial<OidcParameters> } = {},
): Promise<{ site: Site; secret: string }> => {
  const domain = `${newUid()}.northlab.org`;
  const parameters = oidcParameters({
    redirect_uris: [`https://${domain}/callback`],
    post_logout_uris: [`https://${domain}/bye`],
    requires_pkce: false,
    ...changes,
  });
  const site = await makeSite(db, {
    protocol: 'oidc',
    identity: newUid(),
    acs: '',
    sls: null,
    domain,
    oidc: parameters,
    ...draft,
  });
  const secret = newToken();
  await db.insert(oidcSecrets).values({ site_id: site.id, secret_hash: hashToken(secret), hint: secret.slice(-4) });
  return { site, secret };
};

/** A sign-on that has been begun: what the application keeps until the browser returns. */
type Begun = { url: URL; verifier: string; state: string; nonce: string };

/** A real relying party that uses openid-client, for a site of a network. */
export class RelyingParty {
  readonly site: Site;
  readonly secret: string;
  readonly configuration: oidc.Configuration;

  constructor(site: Site, secret: string, configuration: oidc.Configuration) {
    this.site = site;
    this.secret = secret;
    this.configuration = configuration;
  }

  static async of(
    testApp: TestApp,
    made?: { site: Site; secret: string },
    { network = 'northlab', authentication }: { network?: string; authentication?: oidc.ClientAuth } = {},
  ): Promise<RelyingParty> {
    const { site, secret } = made ?? (await makeOidcSite(testApp, { network }));
    const algorithm = site.oidc?.algorithm ?? 'RS256';
    const configuration = await oidc.discovery(
      new URL(`${testOrigin}/oidc/${network}`),
      site.identity,
      { client_secret: secret, id_token_signed_response_alg: algorithm },
      authentication ?? oidc.ClientSecretBasic(secret),
      { [oidc.customFetch]: (url, init) => fetchFrom(testApp, url, init), execute: [oidc.allowInsecureRequests] },
    );
    return new RelyingParty(site, secret, configuration);
  }

  get redirectUri(): string {
    return this.site.oidc?.redirect_uris[0] ?? '';
  }

  /** The address that it sends a browser to for signing in. */
  async begin(parameters: Record<string, string> = {}): Promise<Begun> {
    const [verifier, state, nonce] = [oidc.randomPKCECodeVerifier(), oidc.randomState(), oidc.randomNonce()];
    const url = oidc.buildAuthorizationUrl(this.configuration, {
      redirect_uri: this.redirectUri,
      scope: 'openid profile email groups',
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
      ...parameters,
    });
    return { url, verifier, state, nonce };
  }

  /** Exchanges the code that a browser returns with. */
  finish({ verifier, state, nonce }: Begun, page: Page, maxAge?: number) {
    if (!page.url.startsWith(this.redirectUri))
      throw new Error(`The browser did not return: ${page.status} ${page.url} ${textOf(page.html).slice(0, 300)}`);
    return oidc.authorizationCodeGrant(this.configuration, new URL(page.url), {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      ...(maxAge !== undefined && { maxAge }),
    });
  }

  /** Signs in with the session of a browser, or with the given credentials on the sign-in page. */
  async signIn(browser: Browser, credentials?: { email: string; password: string }, parameters = {}) {
    const begun = await this.begin(parameters);
    const first = await browser.get(begun.url.href);
    return this.finish(begun, credentials ? await browser.submit(first, credentials) : first);
  }
}

const fetchFrom = async (
  { app }: TestApp,
  url: string,
  { method, headers, body }: oidc.CustomFetchOptions,
): Promise<Response> => {
  const { pathname, search } = new URL(url);
  const answer = await app.inject({
    method: method as 'GET',
    url: pathname + search,
    headers: Object.fromEntries(new Headers(headers as HeadersInit)),
    ...(body !== undefined &&
      body !== null && { payload: body instanceof URLSearchParams ? body.toString() : (body as string) }),
  });
  const answered = Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as [string, string]);
  return new Response(answer.rawPayload.length > 0 ? new Uint8Array(answer.rawPayload) : null, {
    status: answer.statusCode,
    headers: answered,
  });
};
