import type { OidcParameters } from '@opensocial/contract';
import { eq } from 'drizzle-orm';
import { SignJWT } from 'jose';
import type { Database } from '../../database/connect.ts';
import { identitySessionSites, identitySessions, type sites } from '../../database/schema.ts';
import { oidcKeyFor } from '../../features/sign-in/oidc/keys.ts';
import { sidOf } from '../../features/sign-in/oidc/sid.ts';
import { hashToken } from '../../secrets/tokens.ts';
import { makeUser, password, type SiteDraft } from './builders.ts';
import { makeOidcSite } from './relying-party.ts';
import type { TestApp } from './test-app.ts';
import { testOrigin } from './test-parts.ts';

type Site = typeof sites.$inferSelect;
type Session = typeof identitySessions.$inferSelect;

/** The site of a client of northlab, unless the draft says otherwise. */
export const makeClient = async (
  db: Database,
  oidc: Partial<OidcParameters> = {},
  draft: Omit<SiteDraft, 'oidc'> = {},
): Promise<Site> => (await makeOidcSite({ db }, { ...draft, oidc })).site;

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
  const tokenHash = hashToken(browser.cookies.get('opensocial_identity') ?? '');
  const [session] = await db.select().from(identitySessions).where(eq(identitySessions.token_hash, tokenHash));
  if (!session) throw new Error('The person could not sign in.');
  for (const { id } of visited)
    await db
      .insert(identitySessionSites)
      .values({ session_id: session.id, site_id: id, name_id: user.uid, name_id_format: 'oidc' });
  return { user, browser, session };
};

/** The claims of an ID token for a session at a site. */
export const idTokenClaims = ({ parts }: TestApp, site: Site, session: Session, network = 'northlab') => {
  const now = Math.floor(Date.now() / 1_000);
  return {
    iss: `${testOrigin}/oidc/${network}`,
    aud: site.identity,
    sub: 'the person',
    sid: sidOf(parts, session.session_index, site.identity),
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
