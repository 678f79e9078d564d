import { and, desc, eq, gt, isNull, or, type SQL, sql } from 'drizzle-orm';
import { nested, type Queryable } from '../../database/connect.ts';
import {
  identitySessionSites,
  identitySessions,
  memberships,
  passkeys,
  pendingTotp,
  recoveryCodes,
  sites,
  socialIdentities,
  users,
} from '../../database/schema.ts';
import { ageLimit, idleLimit } from '../../identity/session-limits.ts';

/** The sites of a network that were opened in a session. */
const sitesIn = (networkId: number): SQL => sql`
  select ${sites.site_name} from ${identitySessionSites} join ${sites} on ${sites.id} = ${identitySessionSites.site_id}
  where ${identitySessionSites.session_id} = ${identitySessions.id} and ${sites.network_id} = ${networkId}
    and ${sites.kind} = 'site' order by 1`;

/**
 * The sessions of a member: all of them, or only those in which a site of the network was opened and that are still
 * accepted there.
 */
export const findSessionsOfMember = (db: Queryable, networkId: number, userId: number, everywhere: boolean) =>
  db
    .select({ session: identitySessions, sites: nested<string[]>(sql`array(${sitesIn(networkId)})`) })
    .from(identitySessions)
    .innerJoin(
      memberships,
      and(eq(memberships.user_id, identitySessions.user_id), eq(memberships.network_id, networkId)),
    )
    .where(
      and(
        eq(identitySessions.user_id, userId),
        gt(identitySessions.last_seen_at, idleLimit),
        gt(identitySessions.authenticated_at, ageLimit),
        or(isNull(memberships.sessions_ended_at), gt(identitySessions.authenticated_at, memberships.sessions_ended_at)),
        everywhere ? undefined : sql`exists (${sitesIn(networkId)})`,
      ),
    )
    .orderBy(desc(identitySessions.last_seen_at), desc(identitySessions.id));

export const findFactors = async (db: Queryable, userId: number) => {
  const [found] = await db
    .select({
      totp: sql<boolean>`${users.totp_secret} is not null`,
      email: users.email_mfa,
      passkey: nested<boolean>(sql`exists (select 1 from ${passkeys} where ${passkeys.user_id} = ${users.id})`),
    })
    .from(users)
    .where(eq(users.id, userId));
  return (['passkey', 'totp', 'email'] as const).filter((factor) => found?.[factor]);
};

export const countPasskeys = (db: Queryable, userId: number): Promise<number> =>
  db.$count(passkeys, eq(passkeys.user_id, userId));

/** Marks the address of an account as confirmed by mail. Returns the account, unless it was confirmed before. */
export const confirmAddress = async (tx: Queryable, userId: number) => {
  const [confirmed] = await tx
    .update(users)
    .set({ address_unproven: false })
    .where(and(eq(users.id, userId), eq(users.address_unproven, true)))
    .returning({ id: users.id, email: users.email, homeNetworkId: users.home_network_id });
  return confirmed;
};

export const deleteLinkedLogins = (tx: Queryable, userId: number) =>
  tx.delete(socialIdentities).where(eq(socialIdentities.user_id, userId));

/**
 * Removes every second factor of an account, including recovery codes. Remembered browsers are asked for a second
 * factor again.
 */
export const deleteFactors = async (tx: Queryable, userId: number): Promise<void> => {
  await tx
    .update(users)
    .set({ totp_secret: null, totp_last_step: null, email_mfa: false, credentials_at: sql`now()` })
    .where(eq(users.id, userId));
  await tx.delete(passkeys).where(eq(passkeys.user_id, userId));
  await tx.delete(pendingTotp).where(eq(pendingTotp.user_id, userId));
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.user_id, userId));
};
