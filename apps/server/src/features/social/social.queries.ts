import { and, asc, eq, sql } from 'drizzle-orm';
import { type Database, type Queryable, type Transaction, violates } from '../../database/connect.ts';
import { oneTimeTokens, signIns, socialIdentities, users } from '../../database/schema.ts';
import { isActiveMember, isActiveMemberAnywhere } from '../../identity/membership.ts';

/** Stores the encrypted state of a social login in a sign-in. */
export const updateSocialState = (db: Queryable, signInId: number, sealed: string) =>
  db.update(signIns).set({ social: { sealed } }).where(eq(signIns.id, signInId));

/** Removes the state. Of two concurrent answers, only one gets true. */
export const consumeSocialState = async (db: Queryable, signInId: number, sealed: string): Promise<boolean> => {
  const { rowCount } = await db
    .update(signIns)
    .set({ social: null })
    .where(and(eq(signIns.id, signInId), sql`${signIns.social} ->> 'sealed' = ${sealed}`));
  return rowCount === 1;
};

/** Finds the user of a link, and records its use. */
export const resolveLinkedUser = async (
  db: Queryable,
  provider: string,
  subject: string,
): Promise<number | undefined> => {
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

/**
 * Locks the account until the transaction ends, so that no other login is removed meanwhile. Sign-ins that were begun
 * before are invalidated.
 */
export const lockCredentials = async (
  tx: Transaction,
  userId: number,
): Promise<{ hasPassword: boolean } | undefined> => {
  const [locked] = await tx
    .update(users)
    .set({ credentials_at: sql`now()` })
    .where(eq(users.id, userId))
    .returning({ hasPassword: sql<boolean>`${users.password_hash} is not null` });
  return locked;
};

export const deleteLink = (tx: Transaction, id: number) =>
  tx.delete(socialIdentities).where(eq(socialIdentities.id, id));

/**
 * The active account with an address, if it belongs to the network of the site. The console is open to members of any
 * network.
 */
export const findLinkableUser = async (
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
 * Turns an invitation into an account for a person whose address a provider has verified, if an owner has marked the
 * invitation as confirmed: people who only sign in by that provider never need a password. If an invitation of another
 * network becomes the account at the same moment, the unique index decides, and this returns undefined.
 */
export const confirmInvitation = async (
  db: Database,
  site: { kind: 'site' | 'console'; network_id: number },
  email: string,
): Promise<number | undefined> => {
  if (site.kind === 'console') return undefined;
  return db
    .transaction(async (tx) => {
      const [confirmed] = await tx
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
        .returning({ id: users.id });
      // The links of the invitation must not open the account.
      if (confirmed) await tx.delete(oneTimeTokens).where(eq(oneTimeTokens.user_id, confirmed.id));
      return confirmed?.id;
    })
    .catch((error: unknown) => {
      if (violates(error, 'users__email')) return undefined;
      throw error;
    });
};

/** Returns false if the link already existed. */
export const insertLink = async (
  db: Queryable,
  link: { user_id: number; provider: string; subject: string },
): Promise<boolean> => {
  const { rowCount } = await db.insert(socialIdentities).values(link).onConflictDoNothing();
  return rowCount === 1;
};
