import { inArray, type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { deleteInBatches } from '../../../database/delete-in-batches.ts';
import {
  activationProofs,
  identitySessions,
  logouts,
  oidcArtifacts,
  oidcGrants,
  oneTimeTokens,
  samlReplays,
  signIns,
  siteTests,
  throttles,
} from '../../../database/schema.ts';
import { endAtSites } from '../../../identity/ended-sessions.ts';
import { ageLimit, idleLimit } from '../../../identity/session-limits.ts';
import type { Parts } from '../../../parts.ts';

/** The condition for expired rows of each table. */
const expiredRows: [PgTable, SQL][] = [
  [signIns, sql`expires_at < now()`],
  [logouts, sql`expires_at < now()`],
  [samlReplays, sql`expires_at < now() - interval '1 hour'`],
  [activationProofs, sql`expires_at < now()`],
  [oneTimeTokens, sql`expires_at < now() - interval '30 days'`],
  // The result of a test can be read for a while.
  [siteTests, sql`expires_at < now() - interval '1 hour'`],
  [oidcArtifacts, sql`expires_at < now()`],
  [oidcGrants, sql`expires_at < now()`],
  [throttles, sql`updated_at < now() - interval '2 days'`],
];

/** The maximum number of sign-ins in which no person is identified. Beyond it the oldest are deleted before they expire. */
const maximumAnonymous = 100_000;

/** How many sessions are ended in one transaction. Each may have many sites, and each site gets a job. */
const sessionBatch = 500;

/** Ends sessions that have expired in every network, and informs their sites. Returns whether there may be more. */
const endExpiredSessions = ({ db, jobs }: Pick<Parts, 'db' | 'jobs'>, maximum: number): Promise<boolean> =>
  db.transaction(async (tx) => {
    // Another server may be ending the same sessions; a session in use is locked too.
    const expired = await tx
      .select({ id: identitySessions.id })
      .from(identitySessions)
      .where(sql`${identitySessions.last_seen_at} < ${idleLimit} or ${identitySessions.authenticated_at} < ${ageLimit}`)
      .orderBy(identitySessions.id)
      .limit(maximum)
      .for('update', { skipLocked: true });
    if (expired.length === 0) return false;
    const ending = inArray(
      identitySessions.id,
      expired.map(({ id }) => id),
    );
    await endAtSites(tx, jobs, ending);
    await tx.delete(identitySessions).where(ending);
    return expired.length === maximum;
  });

type Limits = { anonymous?: number; sessions?: number };

export const deleteStaleSignIns = async (
  { db, jobs }: Pick<Parts, 'db' | 'jobs'>,
  { anonymous: maximum = maximumAnonymous, sessions = sessionBatch }: Limits = {},
): Promise<void> => {
  while (await endExpiredSessions({ db, jobs }, sessions));
  for (const [table, isExpired] of expiredRows) await deleteInBatches(db, table, isExpired);
  const isExcess = sql`user_id is null and id <= (
    select id from ${signIns} where user_id is null order by id desc limit 1 offset ${maximum})`;
  await deleteInBatches(db, signIns, isExcess);
};
