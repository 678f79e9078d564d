import { hash } from 'node:crypto';
import { ApiError, Email } from '@opensocial/contract';
import { newSamlId } from '@opensocial/saml';
import type { Database, Queryable } from '../../database/connect.ts';
import { type Came, countedAddress } from '../../http/address.ts';
import { forgetTries, settleTries, takeTry } from '../../http/throttle.ts';
import type { Parts } from '../../parts.ts';
import { verifyPassword } from '../../secrets/passwords.ts';
import { findNamedPasskey, refusalToSignIn } from '../passkeys/passkeys.proof.service.ts';
import type { Destination } from './destinations.queries.ts';
import { deviceOf } from './device.ts';
import {
  findStandingByEmail,
  findStandingById,
  type Identity,
  insertIdentitySession,
  renewIdentitySession,
  type Standing,
} from './identity.queries.ts';
import { endIdentityOf } from './logout.queries.ts';
import { firstRefusal, mayYou } from './steps.ts';

export { consoleAddresses, idpAddresses } from './addresses.ts';
export { createAttemptRecorder, type RecordAttempt } from './attempts.ts';
export { endIdentityOf, findUnreached, findUntold } from './logout.queries.ts';
export { deleteStaleSignIns, takeMessage } from './sign-in.queries.ts';

/** The name of our own password login, as the session and the profile page have it. */
export const ownLogin = 'OpenSocial';

/** How a sign-in by passkey is noted on its way. It is our own login; unlike a password it owes nothing further. */
export const passkeyLogin = `${ownLogin} passkey`;

/** NIST's ceiling: failures in a row that no account takes, whatever its network allows. */
const ceiling = 100;
const triesWithoutAccount = 10;
/** A whole laboratory may share an address, so there are many, and they are forgotten by and by. */
const triesPerAddress = { limit: 100, forgottenEachMinute: 1 };

export type Credentials = { email: string; password: string; device: string | undefined };

/** Who are you: an account, or nothing, whatever the cause. Each path does the same work, so that none tells by its time. */
export const identifyByPassword = async (
  parts: Parts,
  destination: Destination,
  credentials: Credentials,
  came: Came,
): Promise<Standing | undefined> => {
  const { db } = parts;
  const email = Email.safeParse(credentials.email).data;
  const addressKey = await takeTryAt(db, came.address);
  const user = await findStandingByEmail(db, destination, email ?? '');
  const accountKey = accountKeyOf(parts, email ?? credentials.email, user, credentials.device);
  const atAccount = await takeTry(db, accountKey, { limit: user ? triesOf(user) : triesWithoutAccount });
  const isRight = await verifyPassword(user?.passwordHash, credentials.password);
  const reason = refusalOf(destination, user, isRight, atAccount.blockedFor > 0);
  if (reason !== undefined || !user) {
    await logFailure(parts, destination, { email, user, reason: reason ?? '', ...came });
    return undefined;
  }
  await settleTries(db, { own: accountKey, shared: addressKey });
  return user;
};

/** The same by a passkey, which is password and second factor in one. */
export const identifyByPasskey = async (
  parts: Parts,
  destination: Destination,
  { answer, challenge, device }: { answer: string; challenge: Buffer; device: string | undefined },
  came: Came,
): Promise<Standing | undefined> => {
  const { db } = parts;
  const addressKey = await takeTryAt(db, came.address);
  const named = await findNamedPasskey(parts, answer);
  const user = named && (await findStandingById(db, destination, named.passkey.user_id));
  if (!user) {
    await logFailure(parts, destination, {
      email: undefined,
      user,
      reason: 'unknown passkey',
      mfa: 'passkey',
      ...came,
    });
    return undefined;
  }
  const accountKey = accountKeyOf(parts, user.email, user, device);
  const { blockedFor } = await takeTry(db, accountKey, { limit: triesOf(user) });
  const reason =
    blockedFor > 0
      ? 'account locked'
      : ((await refusalToSignIn(parts, named, challenge)) ?? firstRefusal(mayYou, { user, destination })?.reason);
  if (reason !== undefined) {
    await logFailure(parts, destination, { email: user.email, user, reason, mfa: 'passkey', ...came });
    return undefined;
  }
  await settleTries(db, { own: accountKey, shared: addressKey });
  return user;
};

const takeTryAt = async (db: Database, address: string): Promise<string> => {
  const key = `address:${countedAddress(address)}`;
  const { blockedFor } = await takeTry(db, key, triesPerAddress);
  if (blockedFor > 0) throw new ApiError('too_many', { retryAfter: blockedFor });
  return key;
};

const triesOf = ({ failedTries }: Standing): number => Math.min(failedTries || ceiling, ceiling);

const refusalOf = (destination: Destination, user: Standing | undefined, isRight: boolean, isLocked: boolean) => {
  if (isLocked) return 'account locked';
  if (!user) return 'unknown address';
  if (!isRight) return 'wrong password';
  return firstRefusal(mayYou, { user, destination })?.reason;
};

const accountKey = (email: string): string => `account:${hash('sha256', email)}`;

/** Gives an account all its tries back, at passwords and at second factors, on every device. */
export const unlockAccount = async (db: Queryable, user: { id: number; email: string }): Promise<void> => {
  await forgetTries(db, accountKey(user.email));
  await forgetTries(db, `mfa:${user.id}`);
};

/** A device that has signed in before has tries of its own, so that strangers cannot lock its owner out. */
export const accountKeyOf = (
  parts: Pick<Parts, 'vault'>,
  email: string,
  user: { uid: string } | undefined,
  device: string | undefined,
): string => {
  const account = accountKey(email);
  const known = user && deviceOf(parts.vault, device, user.uid);
  return known ? `${account}:${known}` : account;
};

/** What a session came with: how its owner was known, the second factor, and from where. */
export type Proof = Came & { loginFrom: string; mfa: Identity['session']['mfa']; authenticatedAt: Date };

/**
 * Opens a session. Whoever proves it again keeps theirs under a new id, with the sites that a logout has to tell; somebody
 * else's in the same browser ends. There is none for credentials that were changed meanwhile.
 */
export const openIdentity = async (
  { db }: Parts,
  user: Standing,
  former: string | undefined,
  { loginFrom, mfa, authenticatedAt, address, userAgent }: Proof,
): Promise<(Identity & { token: string }) | undefined> => {
  const came = {
    login_from: loginFrom,
    mfa,
    authenticated_at: authenticatedAt,
    ip_address: address,
    user_agent: userAgent,
  };
  const renewed = former === undefined ? undefined : await renewIdentitySession(db, former, user.id, came);
  if (renewed) return { ...renewed, user };
  if (former !== undefined) await endIdentityOf(db, former);
  const made = await insertIdentitySession(db, user, {
    ...came,
    session_index: newSamlId(),
  });
  return made && { ...made, user };
};

/** One line in the log for every attempt; an attempt counts as a visit to the site too. */
export const logFailure = async (
  { recordAttempt }: Parts,
  { site }: Destination,
  failed: Came & { email: string | undefined; user: Standing | undefined; reason: string; mfa?: string },
): Promise<void> => {
  await recordAttempt({ status: 'Failed', site, mfa: null, ...failed });
};
