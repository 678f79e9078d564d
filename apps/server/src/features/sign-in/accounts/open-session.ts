import { newSamlId } from '@opensocial/saml';
import type { RequestClient } from '../../../http/address.ts';
import type { Parts } from '../../../parts.ts';
import { endSessionByToken } from '../logout/logouts.queries.ts';
import { type Identity, insertIdentitySession, renewIdentitySession } from './identity-sessions.queries.ts';
import type { SiteAccount } from './site-accounts.queries.ts';

/** How and when the person was authenticated, and by which client. */
type Authentication = RequestClient & { loginFrom: string; mfa: Identity['session']['mfa']; authenticatedAt: Date };

/**
 * Opens a session at the identity provider. A person who signs in again keeps the session under a new token, with the sites that a single
 * logout has to notify; the session of another person in the same browser ends. No session is opened if the credentials have changed
 * in the meantime.
 */
export const openSession = async (
  { db, jobs }: Parts,
  user: SiteAccount,
  formerToken: string | undefined,
  { loginFrom, mfa, authenticatedAt, address, userAgent }: Authentication,
): Promise<(Identity & { token: string }) | undefined> => {
  const session = {
    login_from: loginFrom,
    mfa,
    authenticated_at: authenticatedAt,
    ip_address: address,
    user_agent: userAgent,
  };
  const renewed = formerToken === undefined ? undefined : await renewIdentitySession(db, formerToken, user.id, session);
  if (renewed) return { ...renewed, user };
  if (formerToken !== undefined) await endSessionByToken({ db, jobs }, formerToken);
  const inserted = await insertIdentitySession(db, user, { ...session, session_index: newSamlId() });
  return inserted && { ...inserted, user };
};
