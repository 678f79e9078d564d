import { and, asc, eq, sql } from 'drizzle-orm';
import type { Queryable } from '../../../database/connect.ts';
import { oidcKeys } from '../../../database/schema.ts';

export type OidcKeyRecord = typeof oidcKeys.$inferSelect;
type KeyDraft = Pick<OidcKeyRecord, 'algorithm' | 'kid' | 'private_key'>;

export const findKeys = (db: Queryable, networkId: number): Promise<OidcKeyRecord[]> =>
  db.select().from(oidcKeys).where(eq(oidcKeys.network_id, networkId)).orderBy(asc(oidcKeys.id));

/** Of two servers that make the first key at the same time, one keeps the key of the other. */
export const insertCurrentKey = (db: Queryable, networkId: number, key: KeyDraft) =>
  db
    .insert(oidcKeys)
    .values({ ...key, network_id: networkId, state: 'current' })
    .onConflictDoNothing();

/** A text that changes with the keys of a network. */
export const findKeyVersion = async (db: Queryable, networkId: number): Promise<string> => {
  const [found] = await db
    .select({
      version: sql<string>`coalesce(string_agg(${oidcKeys.id} || ${oidcKeys.state}, ' ' order by ${oidcKeys.id}), '')`,
    })
    .from(oidcKeys)
    .where(and(eq(oidcKeys.network_id, networkId)));
  return found?.version ?? '';
};
