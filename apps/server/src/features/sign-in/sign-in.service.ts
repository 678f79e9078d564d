import { hash } from 'node:crypto';
import { ApiError, Email } from '@opensocial/contract';
import { newSamlId } from '@opensocial/saml';
import type { Database, Queryable } from '../../database/connect.ts';
import { type Came, countedAddress, countedCustomer } from '../../http/address.ts';
import { forgetTries, settleTries, takeTry } from '../../http/throttle.ts';
import type { Parts } from '../../parts.ts';
import { verifyPassword } from '../../secrets/passwords.ts';
import { findNamedPasskey, refusalToSignIn } from '../passkeys/passkeys.proof.service.ts';
import { renewHash } from '../users/users.rehash.service.ts';
import type { Destination } from './destinations.queries.ts';
import { deviceOf } from './device.ts';
import {
  findFailedTries,
  findStandingByEmail,
  findStandingById,
  type Identity,
  insertIdentitySession,
  renewIdentitySession,
  type Standing,
} from './identity.queries.ts';
import { endIdentityOf } from './logout.queries.ts';
import { firstRefusal, isStranger, mayYou, notMember, notOffered } from './steps.ts';

export { consoleAddresses, idpAddresses } from './addresses.ts';
export { deviceOf, renewDevice } from './device.ts';
export { endIdentityOf, findUnreached, findUntold } from './logout.queries.ts';
export { latestLogout } from './logout-key.ts';
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

/**
 * Finds the account of somebody who signs in by password; nothing, whatever the cause. Known and unknown addresses cost the same work,
 * so that the time of the answer tells nothing.
 */
export const identifyByPassword = async (
  parts: Parts,
  destination: Destination,
  credentials: Credentials,
  came: Came,
): Promise<Standing | undefined> => {
  const { db } = parts;
  const email = Email.safeParse(credentials.email).data;
  const user = await findStandingByEmail(db, destination, email ?? '');
  const device = user && deviceOf(parts.vault, credentials.device, user);
  const addressKey = device === undefined ? await takeTryAt(db, came.address) : undefined;
  const tries = await takePasswordTry(db, {
    email: email ?? credentials.email,
    limit: user ? triesOf(user.failedTries) : triesWithoutAccount,
    address: came.address,
    device,
  });
  const isRight = await verifyPassword(user?.passwordHash, credentials.password);
  const reason = refusalOf(destination, user, isRight, tries.blockedFor > 0);
  if (reason !== undefined || !user) {
    // A known device is not counted by its address, and must not fill the log once its tries are used up.
    if (device !== undefined && tries.blockedFor > 0) await takeTryAt(db, came.address);
    await logFailure(parts, destination, { typed: email, user, reason: reason ?? '', ...came });
    return undefined;
  }
  await renewHash(db, user, credentials.password);
  await settleTries(db, { own: tries.keys, shared: addressKey });
  return user;
};

/**
 * The same by a passkey, which is password and second factor in one. Its signature cannot be guessed, so that no lock is needed: a
 * valid passkey is never blocked, whatever strangers have tried. Only what is refused counts against the sender's address.
 */
export const identifyByPasskey = async (
  parts: Parts,
  destination: Destination,
  { answer, challenge }: { answer: string; challenge: Buffer },
  came: Came,
): Promise<Standing | undefined> => {
  const { db } = parts;
  const named = await findNamedPasskey(parts, answer);
  const user = named && (await findStandingById(db, destination, named.passkey.user_id));
  const reason = user
    ? ((await refusalToSignIn(parts, named, challenge)) ?? firstRefusal(mayYou, { user, destination })?.reason)
    : 'unknown passkey';
  if (reason === undefined) return user;
  await takeTryAt(db, came.address);
  // In a network that they do not belong to, the line is that of a passkey which nobody has.
  const refused =
    user && !isStranger({ user, destination }) ? { user, reason } : { user: undefined, reason: 'unknown passkey' };
  await logFailure(parts, destination, { ...refused, mfa: 'passkey', ...came });
  return undefined;
};

/**
 * Takes a try of an address, and throws where it has none left. A refusal takes it before it is logged: requests beyond the limit
 * add no lines.
 */
export const takeTryAt = async (db: Database, address: string): Promise<string> => {
  const key = `address:${countedAddress(address)}`;
  const { blockedFor } = await takeTry(db, key, triesPerAddress);
  if (blockedFor > 0) throw new ApiError('too_many', { retryAfter: blockedFor });
  return key;
};

/** The network's number of bad attempts; 0 is no policy, but no account takes more than the ceiling. */
const triesOf = (failedTries: number): number => Math.min(failedTries || ceiling, ceiling);

/** Failures from all unknown devices together lock an account after so many times what one address may fail. */
const addressesToLock = 5;

type PasswordTry = { email: string; limit: number; address: string; device: string | undefined };

/**
 * Counts an attempt before the password is compared, so that parallel guesses are counted too. There are two counters. Known devices
 * have one each, and one that they share with a limit of 100. Other browsers have one per address (for IPv6, per /56 prefix) and one per
 * account with five times the limit. An address that has reached its limit does not raise the counter of the account, so that a single
 * attacker locks out only their own address.
 */
const takePasswordTry = async (
  db: Database,
  { email, limit, address, device }: PasswordTry,
): Promise<{ blockedFor: number; keys: string[] }> => {
  const account = accountKey(email);
  const [own, shared, sharedLimit] =
    device === undefined
      ? [`${account}:@${countedCustomer(address)}`, account, Math.min(limit * addressesToLock, ceiling)]
      : [`${account}:${device}`, `${account}:devices`, ceiling];
  const keys = [own, shared];
  const here = await takeTry(db, own, { limit });
  if (here.blockedFor > 0) return { ...here, keys };
  return { ...(await takeTry(db, shared, { limit: sharedLimit })), keys };
};

/**
 * Checks the password of somebody who is signed in. Guesses count as they do on the sign-in page: a session that was left open is no
 * way around the lock.
 */
export const provePassword = async (
  { db, vault }: Pick<Parts, 'db' | 'vault'>,
  user: { id: number; uid: string; email: string; password_hash: string | null; credentials_at: Date },
  { password, device, address }: { password: string; device: string | undefined; address: string },
): Promise<void> => {
  const known = deviceOf(vault, device, { uid: user.uid, credentialsAt: user.credentials_at });
  const limit = triesOf(await findFailedTries(db, user.id));
  const tries = await takePasswordTry(db, { email: user.email, limit, address, device: known });
  if (tries.blockedFor > 0) throw new ApiError('too_many', { retryAfter: tries.blockedFor });
  if (!(await verifyPassword(user.password_hash, password))) throw new ApiError('password_wrong');
  await settleTries(db, { own: tries.keys, shared: undefined });
};

const refusalOf = (destination: Destination, user: Standing | undefined, isRight: boolean, isLocked: boolean) => {
  // Before the lock: after how many attempts an account locks would tell the owners of the network whether there is one.
  if (!user) return 'unknown address';
  if (isLocked) return 'account locked';
  if (!isRight) return 'wrong password';
  return firstRefusal(mayYou, { user, destination })?.reason;
};

const accountKey = (email: string): string => `account:${hash('sha256', email)}`;

/** Gives an account all its tries back, at passwords and at second factors, on every device. Whether any were used. */
export const unlockAccount = async (db: Queryable, user: { id: number; email: string }): Promise<boolean> => {
  const keys = [accountKey(user.email), `mfa:${user.id}`, `mfa-mail:${user.id}`];
  let forgotten = 0;
  for (const key of keys) forgotten += (await forgetTries(db, key)).rowCount ?? 0;
  return forgotten > 0;
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

/**
 * `typed` is the address that was typed in this sign-in on a page of the network itself. `user` has to be the account's standing at
 * the same destination.
 */
type Failure = Came & { user: Standing | undefined; typed?: string | undefined; reason: string; mfa?: string };

/** One line in the log for every attempt; an attempt counts as a visit to the site too. */
export const logFailure = async (parts: Parts, destination: Destination, failure: Failure): Promise<void> => {
  const { typed, ...line } = withoutStranger(destination, failure);
  const email = line.user?.email ?? typed;
  await parts.recordLoginAttempt({ status: 'Failed', site: destination.site, mfa: null, ...line, email });
};

/**
 * The owners of a network read its log. About somebody who is not a member it has only what they typed on a page of the network: no
 * account, no second factor, and no address that is known from a session, a passkey or another login. The reason is the one for an
 * unknown address, unless it says nothing of the account, or the person has proved to own it and is refused as not a member.
 */
const withoutStranger = (destination: Destination, failure: Failure): Failure => {
  const { user, reason, typed, address, userAgent } = failure;
  if (!user || !isStranger({ user, destination })) return failure;
  const isNeutral = reason === notMember || reason === notOffered;
  return { user: undefined, typed, reason: isNeutral ? reason : 'unknown address', address, userAgent };
};
