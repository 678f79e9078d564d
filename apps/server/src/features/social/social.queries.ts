import { and, eq, sql } from 'drizzle-orm';
import type { Queryable } from '../../database/connect.ts';
import { memberships, signIns, socialIdentities, users } from '../../database/schema.ts';

/** What a sign-in waits for from a provider, sealed. */
export const updateSocial = (db: Queryable, signInId: number, sealed: string) =>
  db.update(signIns).set({ social: { sealed } }).where(eq(signIns.id, signInId));

/** Takes it away: of two answers at the same moment, one is taken. */
export const takeSocial = async (db: Queryable, signInId: number, sealed: string): Promise<boolean> => {
  const { rowCount } = await db
    .update(signIns)
    .set({ social: null })
    .where(and(eq(signIns.id, signInId), sql`${signIns.social} ->> 'sealed' = ${sealed}`));
  return rowCount === 1;
};

export const findLinked = async (db: Queryable, provider: string, subject: string): Promise<number | undefined> => {
  const [found] = await db
    .select({ userId: socialIdentities.user_id })
    .from(socialIdentities)
    .where(and(eq(socialIdentities.provider, provider), eq(socialIdentities.subject, subject)));
  return found?.userId;
};

/** The account of an address, if it is in use and belongs to where it is signing in to. The console is open to all. */
export const findLinkable = async (
  db: Queryable,
  site: { kind: 'site' | 'console'; network_id: number },
  email: string,
): Promise<number | undefined> => {
  const [found] = await db
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        eq(users.email, email),
        eq(users.status, 'Confirmed'),
        eq(users.user_mode, 'Active'),
        sql`exists (select 1 from ${memberships} where ${memberships.user_id} = ${users.id}
          and (${site.kind === 'console'} or ${memberships.network_id} = ${site.network_id}))`,
      ),
    );
  return found?.id;
};

/** Whether it was not there yet. */
export const insertLink = async (
  db: Queryable,
  link: { user_id: number; provider: string; subject: string },
): Promise<boolean> => {
  const { rowCount } = await db.insert(socialIdentities).values(link).onConflictDoNothing();
  return rowCount === 1;
};
