import type { TemplateKind } from '@opensocial/contract';
import { and, eq, sql } from 'drizzle-orm';
import type { Queryable } from '../../database/connect.ts';
import { emailTemplates } from '../../database/schema.ts';

export type TemplateRow = typeof emailTemplates.$inferSelect;
type Columns = Partial<Pick<TemplateRow, 'design' | 'html' | 'in_use'>>;

export const findTemplates = (db: Queryable, networkId: number): Promise<TemplateRow[]> =>
  db.select().from(emailTemplates).where(eq(emailTemplates.network_id, networkId));

export const findTemplate = async (
  db: Queryable,
  networkId: number,
  kind: TemplateKind,
): Promise<TemplateRow | undefined> => {
  const [found] = await db
    .select()
    .from(emailTemplates)
    .where(and(eq(emailTemplates.network_id, networkId), eq(emailTemplates.kind, kind)));
  return found;
};

/** Those that show an image of the library; they stay as they are until the transaction ends. */
export const findTemplatesWith = (tx: Queryable, networkId: number, image: string): Promise<TemplateRow[]> =>
  tx
    .select()
    .from(emailTemplates)
    .where(and(eq(emailTemplates.network_id, networkId), sql`strpos(${emailTemplates.html}, ${`/${image}"`}) > 0`))
    .for('update');

/** Changes what is given of a template, whether it was there or not. */
export const saveTemplate = async (
  tx: Queryable,
  networkId: number,
  kind: TemplateKind,
  columns: Columns,
): Promise<void> => {
  await tx
    .insert(emailTemplates)
    .values({ network_id: networkId, kind, ...columns })
    .onConflictDoUpdate({ target: [emailTemplates.network_id, emailTemplates.kind], set: columns });
};
