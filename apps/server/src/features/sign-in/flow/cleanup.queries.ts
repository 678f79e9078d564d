import { type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Queryable } from '../../../database/connect.ts';
import { deleteInBatches } from '../../../database/delete-in-batches.ts';
import { identitySessions, logouts, oneTimeTokens, samlReplays, signIns, throttles } from '../../../database/schema.ts';
import { ageLimit, idleLimit } from '../../../identity/session-limits.ts';

/** The condition for expired rows of each table. */
const expiredRows: [PgTable, SQL][] = [
  [identitySessions, sql`last_seen_at < ${idleLimit} or authenticated_at < ${ageLimit}`],
  [signIns, sql`expires_at < now()`],
  [logouts, sql`expires_at < now()`],
  [samlReplays, sql`expires_at < now() - interval '1 hour'`],
  [oneTimeTokens, sql`expires_at < now() - interval '30 days'`],
  [throttles, sql`updated_at < now() - interval '2 days'`],
];

/** The maximum number of sign-ins in which no person is identified. Beyond it the oldest are deleted before they expire. */
const maximumAnonymous = 100_000;

export const deleteStaleSignIns = async (db: Queryable, maximum = maximumAnonymous): Promise<void> => {
  for (const [table, isExpired] of expiredRows) await deleteInBatches(db, table, isExpired);
  const isExcess = sql`user_id is null and id <= (
    select id from ${signIns} where user_id is null order by id desc limit 1 offset ${maximum})`;
  await deleteInBatches(db, signIns, isExcess);
};
