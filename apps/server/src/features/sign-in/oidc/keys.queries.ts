import { and, asc, eq, lt, sql } from 'drizzle-orm';
import type { Queryable, Transaction } from '../../../database/connect.ts';
import { networks, oidcKeys } from '../../../database/schema.ts';

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

/** Locks the keys of a network with one algorithm until the transaction ends. */
export const lockKeys = (
  tx: Transaction,
  networkId: number,
  algorithm: OidcKeyRecord['algorithm'],
): Promise<OidcKeyRecord[]> =>
  tx
    .select()
    .from(oidcKeys)
    .where(and(eq(oidcKeys.network_id, networkId), eq(oidcKeys.algorithm, algorithm)))
    .orderBy(asc(oidcKeys.id))
    .for('update');

export const insertKey = async (tx: Transaction, key: typeof oidcKeys.$inferInsert): Promise<void> => {
  await tx.insert(oidcKeys).values(key);
};

export const setKeyState = (tx: Transaction, id: number, state: 'current' | 'retired') =>
  tx
    .update(oidcKeys)
    .set({ state, ...(state === 'retired' && { retired_at: sql`now()` }) })
    .where(eq(oidcKeys.id, id));

export const deleteKey = (tx: Transaction, id: number) => tx.delete(oidcKeys).where(eq(oidcKeys.id, id));

/** Every server makes its provider of the network again, because the version of the network's row rises with each update. */
export const touchNetwork = (tx: Transaction, networkId: number) =>
  tx
    .update(networks)
    .set({ name: sql`${networks.name}` })
    .where(eq(networks.id, networkId));

/** The next keys that have been published for so long that every client has read them. */
export const findDueKeys = (db: Queryable, hours: number) =>
  db
    .select({ id: oidcKeys.id, network_id: oidcKeys.network_id, algorithm: oidcKeys.algorithm })
    .from(oidcKeys)
    .where(and(eq(oidcKeys.state, 'next'), lt(oidcKeys.created_at, sql`now() - make_interval(hours => ${hours})`)));

/** The networks of retired keys whose tokens have ended. */
export const deleteRetiredKeys = (tx: Transaction, days: number) =>
  tx
    .delete(oidcKeys)
    .where(and(eq(oidcKeys.state, 'retired'), lt(oidcKeys.retired_at, sql`now() - make_interval(days => ${days})`)))
    .returning({ networkId: oidcKeys.network_id });
