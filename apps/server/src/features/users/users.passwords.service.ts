import { ApiError } from '@opensocial/contract';
import { desc, eq, ne, sql } from 'drizzle-orm';
import type { Queryable, Transaction } from '../../database/connect.ts';
import {
  consoleSessions,
  identitySessions,
  type networkSettings,
  networks,
  oneTimeTokens,
  passwordHistory,
  signIns,
  users,
} from '../../database/schema.ts';
import { endAtSites } from '../../identity/ended-sessions.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { markLinksEnded } from '../../mail/mail-records.ts';
import { passwordNotice } from '../../mail/notices.ts';
import type { Parts } from '../../parts.ts';
import { isCommonPassword, publicFactsAbout } from '../../secrets/common-passwords.ts';
import { verifyPassword } from '../../secrets/passwords.ts';
import { followsPolicy, toPasswordPolicy } from '../settings/settings.service.ts';

type Settings = typeof networkSettings.$inferSelect;
type PasswordOwner = { id: number; email: string };

/** The number of stored hashes, which is the largest password history setting. */
const maximumHistory = 9;

/** Asserts that a new password follows the rules of the given settings. */
export const assertNewPassword = async (
  db: Queryable,
  { id, email }: PasswordOwner,
  settings: Settings,
  password: string,
): Promise<void> => {
  if (!followsPolicy(settings, password))
    throw new ApiError('password_refused', { message: toPasswordPolicy(settings).regex_message });
  if (isCommonPassword(password, publicFactsAbout({ email, ...(await findNames(db, id, settings.network_id)) })))
    throw new ApiError('password_refused', {
      message: 'This password is easy to guess. Choose another one.',
    });
  const earlier = await db
    .select({ hash: passwordHistory.password_hash })
    .from(passwordHistory)
    .where(eq(passwordHistory.user_id, id))
    .orderBy(desc(passwordHistory.id))
    .limit(settings.password_history);
  for (const { hash } of earlier)
    if (await verifyPassword(hash, password))
      throw new ApiError('password_refused', {
        message: `This is one of your last ${settings.password_history} passwords. Choose another one.`,
      });
};

const findNames = async (db: Queryable, userId: number, networkId: number) => {
  const [names] = await db
    .select({ firstname: users.firstname, lastname: users.lastname, network: networks.name })
    .from(users)
    .innerJoin(networks, eq(networks.id, networkId))
    .where(eq(users.id, userId));
  return names;
};

/** The session or the sign-in in which the change is made. It stays open. */
type KeptSession = { sessionIndex?: string; signInId?: number };

/**
 * Stores a new password. The old one, every other session and every mailed link stop working, and the owner is notified
 * by mail.
 */
export const storePassword = async (
  tx: Transaction,
  parts: Parts,
  user: PasswordOwner,
  hash: string,
  { isFirst = false, ...kept }: KeptSession & { isFirst?: boolean } = {},
): Promise<void> => {
  await tx
    .update(users)
    .set({ password_hash: hash, password_changed_at: sql`now()`, credentials_at: sql`now()` })
    .where(eq(users.id, user.id));
  await tx.insert(passwordHistory).values({ user_id: user.id, password_hash: hash });
  await tx.execute(sql`
    delete from password_history where user_id = ${user.id} and id not in (
      select id from password_history where user_id = ${user.id} order by id desc limit ${maximumHistory})`);
  const deleted = await tx
    .delete(oneTimeTokens)
    .where(sql`${oneTimeTokens.user_id} = ${user.id} and ${oneTimeTokens.used_at} is null`)
    .returning({ id: oneTimeTokens.id });
  await markLinksEnded(
    tx,
    deleted.map(({ id }) => id),
  );
  await endOtherSessions(tx, parts.jobs, user.id, kept);
  const record = { kind: 'password_changed' } as const;
  if (!isFirst) await parts.jobs.sendMail(tx, { to: user.email, ...passwordNotice(parts.config.publicUrl), record });
};

/**
 * Ends every session of an account except the current one, in the order of `endSessions`. Offline access ends too: nobody knows whether
 * it was granted in one of the sessions that end.
 */
export const endOtherSessions = async (
  tx: Queryable,
  jobs: Jobs,
  userId: number,
  kept: KeptSession = {},
): Promise<void> => {
  const index = kept.sessionIndex ?? '';
  const others = sql`${eq(identitySessions.user_id, userId)} and ${ne(identitySessions.session_index, index)}`;
  await endAtSites(tx, jobs, others, { offlineOf: [userId] });
  await tx.delete(identitySessions).where(others);
  await tx
    .delete(consoleSessions)
    .where(sql`${eq(consoleSessions.user_id, userId)} and ${ne(consoleSessions.session_index, index)}`);
  await tx.delete(signIns).where(sql`${eq(signIns.user_id, userId)} and ${ne(signIns.id, kept.signInId ?? 0)}`);
};
