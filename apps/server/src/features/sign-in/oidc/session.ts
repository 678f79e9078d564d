import type { AdapterPayload } from 'oidc-provider';
import type { Parts } from '../../../parts.ts';
import { findAccountRefusal } from '../accounts/checks.ts';
import { acceptsOwnLogin, isOwnLogin } from '../accounts/login-types.ts';
import type { ResolvedSite } from '../destination/site-cache.ts';
import { acrOf, amrOf } from './authentication.ts';
import { sidOf } from './sid.ts';

/**
 * The session as the library sees it. The library has none of its own: it would have to be kept in step with ours, and would outlive it
 * by mistake. Instead, each request gets the session of the browser at the identity provider, if the site accepts it.
 */
export const toLibrarySession = (
  parts: Pick<Parts, 'persistentNames'>,
  id: string,
  resolved: ResolvedSite | undefined,
): AdapterPayload | undefined => {
  const identity = resolved && usableIdentity(resolved);
  if (!identity) return undefined;
  const { session, user } = identity;
  const { site } = resolved.destination;
  const now = Math.floor(Date.now() / 1_000);
  return {
    kind: 'Session',
    jti: id,
    uid: String(session.id),
    accountId: user.uid,
    loginTs: Math.floor(session.authenticated_at.getTime() / 1_000),
    acr: acrOf(session),
    amr: amrOf(session),
    authorizations: { [site.identity]: { sid: sidOf(parts, session.session_index, site.identity) } },
    iat: now,
    exp: now + 3_600,
  };
};

/** The live session of the browser, if the account may sign in and the site accepts the login type of the session. */
export const usableIdentity = ({ identity, destination }: ResolvedSite) => {
  if (!identity || findAccountRefusal({ user: identity.user, destination })) return undefined;
  return !isOwnLogin(identity.session.login_from) || acceptsOwnLogin(destination) ? identity : undefined;
};
