import { and, asc, eq } from 'drizzle-orm';
import type { Queryable, Transaction } from '../../database/connect.ts';
import { oidcSecrets } from '../../database/schema.ts';

export const findSecrets = (db: Queryable, siteId: number) =>
  db
    .select({ id: oidcSecrets.id, hint: oidcSecrets.hint, created_at: oidcSecrets.created_at })
    .from(oidcSecrets)
    .where(eq(oidcSecrets.site_id, siteId))
    .orderBy(asc(oidcSecrets.id));

export const insertSecret = (tx: Transaction, secret: typeof oidcSecrets.$inferInsert) =>
  tx.insert(oidcSecrets).values(secret);

/** Deletes a secret of a site, or all of them. Returns the hints of the deleted ones. */
export const deleteSecrets = async (tx: Transaction, siteId: number, id?: number): Promise<string[]> => {
  const deleted = await tx
    .delete(oidcSecrets)
    .where(and(eq(oidcSecrets.site_id, siteId), id === undefined ? undefined : eq(oidcSecrets.id, id)))
    .returning({ hint: oidcSecrets.hint });
  return deleted.map(({ hint }) => hint);
};
