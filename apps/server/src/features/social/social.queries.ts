import { and, asc, eq, sql } from 'drizzle-orm';
import { type Database, type Queryable, type Transaction, violates } from '../../database/connect.ts';
import { signIns, socialIdentities, users } from '../../database/schema.ts';
import { isActiveMember, isActiveMemberAnywhere } from '../../identity/membership.ts';

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

/** Whose link it is; it has been used now. */
export const useLink = async (db: Queryable, provider: string, subject: string): Promise<number | undefined> => {
  const [found] = await db
    .update(socialIdentities)
    .set({ last_used_at: sql`now()` })
    .where(and(eq(socialIdentities.provider, provider), eq(socialIdentities.subject, subject)))
    .returning({ userId: socialIdentities.user_id });
  return found?.userId;
};

export const findLinks = (db: Queryable, userId: number) =>
  db.select().from(socialIdentities).where(eq(socialIdentities.user_id, userId)).orderBy(asc(socialIdentities.id));
export type Link = typeof socialIdentities.$inferSelect;

/** Until the transaction ends, nobody else takes a way into this account away; and whoever is just coming in by one is too late. */
export const changeWaysIn = async (tx: Transaction, userId: number): Promise<{ has: boolean } | undefined> => {
  const [held] = await tx
    .update(users)
    .set({ credentials_at: sql`now()` })
    .where(eq(users.id, userId))
    .returning({ has: sql<boolean>`${users.password_hash} is not null` });
  return held;
};

export const deleteLink = (tx: Transaction, id: number) =>
  tx.delete(socialIdentities).where(eq(socialIdentities.id, id));

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
        eq(users.provisional, false),
        eq(users.status, 'Confirmed'),
        eq(users.user_mode, 'Active'),
        site.kind === 'console' ? isActiveMemberAnywhere(users.id) : isActiveMember(users.id, site.network_id),
      ),
    );
  return found?.id;
};

/**
 * Turns an invitation into an account for somebody whose address a provider vouches for, where the owner of the network has marked
 * the invitation as confirmed: people who only sign in by that provider never need a password. Where another network's invitation to
 * the same address becomes the account in the same moment, the unique index decides, and there is none here.
 */
export const confirmInvitation = async (
  db: Database,
  site: { kind: 'site' | 'console'; network_id: number },
  email: string,
): Promise<number | undefined> => {
  if (site.kind === 'console') return undefined;
  const [confirmed] = await db
    .update(users)
    .set({ provisional: false })
    .where(
      and(
        eq(users.email, email),
        eq(users.home_network_id, site.network_id),
        eq(users.provisional, true),
        eq(users.status, 'Confirmed'),
        eq(users.user_mode, 'Active'),
        sql`not exists (select 1 from users account where account.email = ${email} and not account.provisional)`,
      ),
    )
    .returning({ id: users.id })
    .catch((error: unknown) => {
      if (violates(error, 'users__email')) return [];
      throw error;
    });
  return confirmed?.id;
};

/** Whether it was not there yet. */
export const insertLink = async (
  db: Queryable,
  link: { user_id: number; provider: string; subject: string },
): Promise<boolean> => {
  const { rowCount } = await db.insert(socialIdentities).values(link).onConflictDoNothing();
  return rowCount === 1;
};
