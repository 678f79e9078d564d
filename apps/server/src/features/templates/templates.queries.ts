import type { TemplateKind } from '@opensocial/contract';
import { and, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Queryable } from '../../database/connect.ts';
import { emailTemplates, emailTemplateVersions, memberships, networks, users } from '../../database/schema.ts';

export type TemplateRow = typeof emailTemplates.$inferSelect;
type Columns = Partial<Pick<TemplateRow, 'design' | 'html' | 'subject' | 'in_use' | 'refused_at'>>;

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

/** The templates that show an image of the library, locked until the transaction ends. */
export const findTemplatesWith = (tx: Queryable, networkId: number, image: string): Promise<TemplateRow[]> =>
  tx
    .select()
    .from(emailTemplates)
    .where(and(eq(emailTemplates.network_id, networkId), sql`strpos(${emailTemplates.html}, ${`/${image}"`}) > 0`))
    .for('update');

/** Inserts a template or updates the given columns. */
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

const mostVersions = 30;

/** Stores a version of a template, and deletes the oldest ones beyond the limit. */
export const insertVersion = async (
  tx: Queryable,
  version: Omit<typeof emailTemplateVersions.$inferInsert, 'id' | 'saved_at'>,
): Promise<void> => {
  const { network_id, kind } = version;
  await tx.insert(emailTemplateVersions).values(version);
  await tx.execute(sql`
    delete from email_template_versions where network_id = ${network_id} and kind = ${kind} and id not in (
      select id from email_template_versions where network_id = ${network_id} and kind = ${kind}
      order by id desc limit ${mostVersions})`);
};

export const findVersions = (db: Queryable, networkId: number, kind: TemplateKind) =>
  db
    .select({
      id: emailTemplateVersions.id,
      saved_by: emailTemplateVersions.saved_by,
      saved_at: emailTemplateVersions.saved_at,
    })
    .from(emailTemplateVersions)
    .where(and(eq(emailTemplateVersions.network_id, networkId), eq(emailTemplateVersions.kind, kind)))
    .orderBy(desc(emailTemplateVersions.id));

export const findVersion = async (db: Queryable, networkId: number, versionId: number) => {
  const [found] = await db
    .select()
    .from(emailTemplateVersions)
    .where(and(eq(emailTemplateVersions.network_id, networkId), eq(emailTemplateVersions.id, versionId)));
  return found;
};

/** The templates in use of all networks, except those whose owners already know that they cannot be sent. */
export const findUnreported = (db: Queryable) =>
  db
    .select({ id: networks.id, name: networks.name, kind: emailTemplates.kind })
    .from(emailTemplates)
    .innerJoin(networks, eq(networks.id, emailTemplates.network_id))
    .where(and(emailTemplates.in_use, isNull(emailTemplates.refused_at), isNotNull(emailTemplates.html)))
    .orderBy(emailTemplates.network_id, emailTemplates.kind);

/** Records that the owners were notified. Of two concurrent transactions, only one gets true. */
export const markRefused = async (tx: Queryable, { network_id, kind }: TemplateRow): Promise<boolean> => {
  const { rowCount } = await tx
    .update(emailTemplates)
    .set({ refused_at: sql`now()` })
    .where(
      and(eq(emailTemplates.network_id, network_id), eq(emailTemplates.kind, kind), isNull(emailTemplates.refused_at)),
    );
  return rowCount === 1;
};

/**
 * Whether an address, in lower case, belongs to the network. Invited people count only for the mails that invite them:
 * otherwise a network could invite anybody and then write the mails about their passwords and codes.
 */
export const isAddressOfMember = async (
  db: Queryable,
  networkId: number,
  address: string,
  kind: TemplateKind,
): Promise<boolean> => {
  const isForInvited = kind !== 'reset' && kind !== 'emailmfa';
  const found = await db
    .select({ id: users.id })
    .from(users)
    .innerJoin(memberships, eq(memberships.user_id, users.id))
    .where(
      and(
        eq(memberships.network_id, networkId),
        eq(users.email, address),
        isForInvited ? undefined : eq(users.provisional, false),
      ),
    );
  return found.length > 0;
};
