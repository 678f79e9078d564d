import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { ApiError, Email } from '@opensocial/contract';
import { newSamlId } from '@opensocial/saml';
import { giveTriesBack, giveTryBack, takeTry } from '../../http/throttle.ts';
import type { Parts } from '../../parts.ts';
import { verifyPassword } from '../../secrets/passwords.ts';
import {
  type Destination,
  findStandingByEmail,
  type Identity,
  insertIdentitySession,
  insertLoginLog,
  insertVisit,
  type Standing,
} from './sign-in.queries.ts';
import { firstRefusal, mayYou } from './steps.ts';

/** The name of our own password login, as the session and the profile page have it. */
export const ownLogin = 'OpenSocial';

/** NIST's ceiling: failures in a row that an account takes even where its network sets no limit. */
const ceiling = 100;
const triesPerAddress = 100;

export type Credentials = { email: string; password: string };

/** Who are you: an identity, or nothing, whatever the cause. Each path does the same work, so that none tells by its time. */
export const identifyByPassword = async (
  parts: Parts,
  destination: Destination,
  credentials: Credentials,
  address: string,
): Promise<(Identity & { token: string }) | undefined> => {
  const { db } = parts;
  const email = Email.safeParse(credentials.email).data;
  const refuse = async (reason: string, user?: Standing) => {
    await logFailure(parts, destination, { email, user, address, reason });
    return undefined;
  };

  await assertAddressMayTry(parts, address);
  const accountKey = `account:${createHash('sha256')
    .update(email ?? credentials.email)
    .digest('hex')}`;
  const { blockedFor } = await takeTry(db, accountKey, destination.settings.failed_tries || ceiling);
  const user = email === undefined ? undefined : await findStandingByEmail(db, destination, email);
  const isRight = await verifyPassword(user?.passwordHash, credentials.password);

  if (blockedFor > 0) return refuse('account locked', user);
  if (!user) return refuse('unknown address');
  if (!isRight) return refuse('wrong password', user);
  const refusal = firstRefusal(mayYou, { user, destination });
  if (refusal) return refuse(refusal.reason, user);

  await giveTriesBack(db, accountKey);
  await giveTryBack(db, addressKey(address));
  const made = await insertIdentitySession(db, {
    session_index: newSamlId(),
    user_id: user.id,
    login_from: ownLogin,
    authenticated_at: new Date(),
  });
  return { ...made, user };
};

/** One line in the log for every attempt; an attempt counts as a visit to the site too. */
export const logFailure = async (
  { db }: Parts,
  { site }: Destination,
  failed: { email: string | undefined; user: Standing | undefined; address: string; reason: string },
): Promise<void> => {
  if (failed.user) await insertVisit(db, failed.user.id, site.id);
  await insertLoginLog(db, {
    network_id: site.network_id,
    site_id: site.id,
    user_id: failed.user?.id ?? null,
    email: failed.email ?? null,
    site: site.domain,
    login_status: 'Failed',
    reason: failed.reason,
    ip_address: failed.address,
  });
};

const addressKey = (address: string) => `address:${address}`;

/** One address may try many accounts only for so long. A whole laboratory may share it, so the limit is generous. */
const assertAddressMayTry = async ({ db }: Parts, address: string): Promise<void> => {
  if (isIP(address) === 0) throw new Error('A request without an address.');
  const { blockedFor } = await takeTry(db, addressKey(address), triesPerAddress);
  if (blockedFor > 0) throw new ApiError('too_many', { retryAfter: blockedFor });
};

export { consoleAddresses, idpAddresses } from './addresses.ts';
export { findUntold } from './logout.queries.ts';
export { deleteStaleSignIns, takeMessage } from './sign-in.queries.ts';
