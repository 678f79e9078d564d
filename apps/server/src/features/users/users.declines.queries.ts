import { and, eq, gte, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { Queryable } from '../../database/connect.ts';
import { deleteInBatches } from '../../database/delete-in-batches.ts';
import { declinedInvitations } from '../../database/schema.ts';
import { hashToken } from '../../secrets/tokens.ts';

/** How long a network cannot contact a person who has declined its invitation. */
const validity = sql`interval '30 days'`;

export const insertDecline = async (tx: Queryable, networkId: number, email: string): Promise<void> => {
  await tx
    .insert(declinedInvitations)
    .values({ network_id: networkId, email_hash: hashToken(email) })
    .onConflictDoUpdate({
      target: [declinedInvitations.network_id, declinedInvitations.email_hash],
      set: { declined_at: sql`now()` },
    });
};

/** Whether the owner of an address has recently declined an invitation of a network. */
export const isDeclined = (networkId: SQLWrapper | number, email: string): SQL<boolean> =>
  sql<boolean>`exists (select 1 from declined_invitations declined where declined.network_id = ${networkId}
    and declined.email_hash = ${hashToken(email)} and declined.declined_at > now() - ${validity})`;

export const hasDeclined = async (db: Queryable, networkId: number, email: string): Promise<boolean> => {
  const { rows } = await db.execute<{ declined: boolean }>(sql`select ${isDeclined(networkId, email)} as declined`);
  return rows[0]?.declined === true;
};

/** Whether a person has declined an invitation of the network since a moment. */
export const hasDeclinedSince = async (
  db: Queryable,
  networkId: number,
  email: string,
  since: Date,
): Promise<boolean> =>
  (await db.$count(
    declinedInvitations,
    and(
      eq(declinedInvitations.network_id, networkId),
      eq(declinedInvitations.email_hash, hashToken(email)),
      gte(declinedInvitations.declined_at, since),
    ),
  )) > 0;

export const deleteStaleDeclines = (db: Queryable): Promise<void> =>
  deleteInBatches(db, declinedInvitations, sql`declined_at < now() - ${validity}`);
