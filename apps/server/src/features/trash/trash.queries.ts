import type { TrashKind } from '@opensocial/contract';
import { and, asc, eq, inArray, isNotNull, lte, or, type SQL, sql } from 'drizzle-orm';
import type { Queryable, Transaction } from '../../database/connect.ts';
import { contains, readPage } from '../../database/paging.ts';
import { type TrashLink, trash, trashRows } from '../../database/schema.ts';

export type TrashRecord = typeof trash.$inferSelect;

type TrashQuery = {
  kind?: TrashKind | undefined;
  keyword?: string | undefined;
  lastId: number;
  size: number;
};

export const readTrash = (db: Queryable, networkId: number, { kind, keyword, ...page }: TrashQuery) =>
  readPage(
    db,
    trash,
    {
      id: trash.id,
      kind: trash.kind,
      label: trash.label,
      detail: trash.detail,
      deleted_by: trash.deleted_by,
      deleted_at: trash.deleted_at,
      expires_at: trash.expires_at,
    },
    {
      order: { by: trash.id, id: trash.id, descending: true },
      scope: eq(trash.network_id, networkId),
      match: and(kind && eq(trash.kind, kind), or(contains(trash.label, keyword), contains(trash.detail, keyword))),
      ...page,
    },
  );

/** The size of the images in the trash of a network. */
export const measureTrash = async (db: Queryable, networkId: number): Promise<number> => {
  const [sum] = await db
    .select({ bytes: sql<number>`coalesce(sum(${trash.bytes}), 0)`.mapWith(Number) })
    .from(trash)
    .where(and(eq(trash.network_id, networkId), eq(trash.kind, 'image')));
  return sum?.bytes ?? 0;
};

export const insertEntry = async (tx: Transaction, entry: typeof trash.$inferInsert): Promise<number> => {
  const [inserted] = await tx.insert(trash).values(entry).returning({ id: trash.id });
  if (!inserted) throw new Error('The insert returned no entry.');
  return inserted.id;
};

/** Locks an entry, so that it is either restored or deleted, and only once. */
export const lockEntry = async (tx: Transaction, networkId: number, id: number): Promise<TrashRecord | undefined> => {
  const [entry] = await tx
    .select()
    .from(trash)
    .where(and(eq(trash.id, id), eq(trash.network_id, networkId)))
    .for('update');
  return entry;
};

/** Locks the next entries that meet a condition. Entries that somebody else has locked are skipped. */
export const lockNextEntries = (tx: Transaction, condition: SQL | undefined, size: number): Promise<TrashRecord[]> =>
  tx.select().from(trash).where(condition).orderBy(asc(trash.id)).limit(size).for('update', { skipLocked: true });

/**
 * The entries of a person in a network. One that is being restored is skipped: the restore waits for the account, which the caller has
 * locked, and waiting for it would be a deadlock. It then finds the person in the network and is refused.
 */
export const lockPersonEntries = (tx: Transaction, networkId: number, email: string): Promise<TrashRecord[]> =>
  tx
    .select()
    .from(trash)
    .where(and(eq(trash.network_id, networkId), eq(trash.kind, 'user'), eq(trash.label, email)))
    .orderBy(asc(trash.id))
    .for('update', { skipLocked: true });

/** Deletes entries with their copies. Returns the names of the files that belong to them. */
export const deleteEntries = async (tx: Transaction, ids: number[]): Promise<string[]> => {
  const files = await tx
    .select({ file: trashRows.file })
    .from(trashRows)
    .where(and(inArray(trashRows.trash_id, ids), isNotNull(trashRows.file)));
  await tx.delete(trash).where(inArray(trash.id, ids));
  return files.flatMap(({ file }) => file ?? []);
};

export const hasExpired = (isKept: boolean): SQL | undefined =>
  isKept ? lte(trash.expires_at, sql`now()`) : sql`true`;

/** The entry of a deletion, by its audit record. */
export const findEntryOfRecord = async (db: Queryable, networkId: number, auditId: number) => {
  const [entry] = await db
    .select({ id: trash.id })
    .from(trash)
    .where(and(eq(trash.audit_id, auditId), eq(trash.network_id, networkId)));
  return entry?.id;
};

/** Sets a field to its former value if it has not been changed since the deletion. Returns whether it was. */
export const restoreLink = async (
  tx: Transaction,
  networkId: number,
  { table, column, id, value, expected }: TrashLink,
): Promise<boolean> => {
  const field = sql.identifier(column);
  const inNetwork = table === 'users' ? sql`true` : sql`network_id = ${networkId}`;
  const { rowCount } = await tx.execute(sql`
    update ${sql.identifier(table)} set ${field} = ${value}
    where ${sql.identifier(table === 'network_settings' ? 'network_id' : 'id')} = ${id} and ${inNetwork}
      and ${field} is not distinct from ${expected}`);
  return rowCount === 1;
};
