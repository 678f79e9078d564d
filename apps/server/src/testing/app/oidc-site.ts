import { randomBytes } from 'node:crypto';
import type { OidcParameters } from '@opensocial/contract';
import { eq } from 'drizzle-orm';
import { SignJWT } from 'jose';
import type { Queryable } from '../../database/connect.ts';
import { identitySessionSites, identitySessions, type sites } from '../../database/schema.ts';
import { oidcKeyFor } from '../../features/sign-in/oidc/keys.ts';
import { sidOf } from '../../features/sign-in/oidc/sid.ts';
import { hashToken } from '../../secrets/tokens.ts';
import { makeSite, makeUser, password } from './builders.ts';
import type { TestApp } from './test-app.ts';
import { testOrigin } from './test-parts.ts';

type OidcSiteDraft = Partial<typeof sites.$inferInsert> & { network?: string; groups?: number[] };

const parameters: OidcParameters = {
  authentication: 'secret',
  redirect_uris: ['https://app.northlab.org/callback'],
  post_logout_uris: [],
  backchannel_logout_uri: '',
  frontchannel_logout_uri: '',
  algorithm: 'RS256',
  requires_pkce: true,
  allows_offline: true,
  jwks: null,
  jwks_uri: '',
};

/** A site of northlab that uses OpenID Connect, unless the draft says otherwise. */
export const makeOidcSite = (db: Queryable, oidc: Partial<OidcParameters> = {}, draft: OidcSiteDraft = {}) =>
  makeSite(db, {
    protocol: 'oidc',
    identity: randomBytes(16).toString('base64url'),
    acs: '',
    sls: null,
    oidc: { ...parameters, ...oidc },
    ...draft,
  });

type Site = typeof sites.$inferSelect;
type Session = typeof identitySessions.$inferSelect;

/** A person with a session at the identity provider, in a browser, that has signed in to sites by OpenID Connect. */
export const signInAt = async (
  testApp: TestApp,
  visited: readonly Site[],
  draft: Parameters<typeof makeUser>[1] = {},
) => {
  const { db } = testApp;
  const user = await makeUser(db, draft);
  const browser = testApp.browser();
  await browser.submit(await browser.get('/server/saml/login'), { email: user.email, password });
  const tokenHash = hashToken(browser.cookies.get('identity') ?? '');
  const [session] = await db.select().from(identitySessions).where(eq(identitySessions.token_hash, tokenHash));
  if (!session) throw new Error('The person could not sign in.');
  for (const { id } of visited)
    await db
      .insert(identitySessionSites)
      .values({ session_id: session.id, site_id: id, name_id: user.uid, name_id_format: 'oidc' });
  return { user, browser, session };
};

/** The claims of an ID token for a session at a site. */
export const idTokenClaims = (site: Site, session: Session, network = 'northlab') => {
  const now = Math.floor(Date.now() / 1_000);
  return {
    iss: `${testOrigin}/oidc/${network}`,
    aud: site.identity,
    sub: 'the person',
    sid: sidOf(session.session_index, site.identity),
    iat: now,
    exp: now + 3_600,
  };
};

/** An ID token with the key of the site's network. */
export const signIdToken = async (
  { parts }: TestApp,
  site: Site,
  claims: Record<string, unknown>,
  header: { typ?: string } = {},
): Promise<string> => {
  const algorithm = site.oidc?.algorithm ?? 'RS256';
  const { kid, privateKey } = await oidcKeyFor(parts, site.network_id, algorithm);
  return new SignJWT(claims).setProtectedHeader({ alg: algorithm, kid, ...header }).sign(privateKey);
};
