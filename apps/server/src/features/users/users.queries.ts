import type { UserMode, UserStatus } from '@opensocial/contract';
import { and, asc, eq, gt, type SQL, sql } from 'drizzle-orm';
import { nested, type Queryable } from '../../database/connect.ts';
import { withinDays } from '../../database/days.ts';
import { containsFolded, readPage } from '../../database/paging.ts';
import {
  consoleSessions,
  groups,
  groupUsers,
  identitySessions,
  memberCounts,
  memberships,
  networks,
  oneTimeTokens,
  owners,
  signIns,
  sites,
  siteVisits,
  users,
} from '../../database/schema.ts';

export type UserRecord = typeof users.$inferSelect;

/** Whether an account belongs to a network. */
export const isMember = (networkId: number): SQL =>
  sql`exists (select 1 from ${memberships} where ${memberships.user_id} = ${users.id} and ${memberships.network_id} = ${networkId})`;

/** From the counters: the network may have a million. */
export const countAllMembers = async (
  db: Queryable,
  networkId: number,
  { status, mode }: Pick<UsersAsked, 'status' | 'mode'> = {},
): Promise<number> => {
  const [found] = await db
    .select({ members: sql`coalesce(sum(${memberCounts.members}), 0)`.mapWith(Number) })
    .from(memberCounts)
    .where(
      and(
        eq(memberCounts.network_id, networkId),
        status && eq(memberCounts.status, status),
        mode && eq(memberCounts.user_mode, mode),
      ),
    );
  return found?.members ?? 0;
};

export const countMembers = (db: Queryable, networkId: number, ids: number[]) =>
  db.$count(
    memberships,
    and(eq(memberships.network_id, networkId), sql`${memberships.user_id} = any(${sql.param(ids)})`),
  );

const rowFields = {
  id: users.id,
  uid: users.uid,
  email: users.email,
  firstname: users.firstname,
  lastname: users.lastname,
  fullname: users.fullname,
  status: users.status,
  user_mode: users.user_mode,
  bypass_inactivity: users.bypass_inactivity,
  created_at: users.created_at,
  last_login_at: users.last_login_at,
  home_network_id: users.home_network_id,
  signup_server: nested<string>(
    sql`(select ${networks.name} from ${networks} where ${networks.id} = ${users.home_network_id})`,
  ),
};

export type UsersAsked = {
  status?: UserStatus | undefined;
  mode?: UserMode | undefined;
  range?: string | undefined;
  keyword?: string | undefined;
};

const usersMatching = ({ status, mode, range, keyword }: UsersAsked): SQL | undefined =>
  and(
    status && eq(users.status, status),
    mode && eq(users.user_mode, mode),
    withinDays(users.created_at, range),
    containsFolded(users, keyword),
  );

export const readUsers = (
  db: Queryable,
  networkId: number,
  { lastId, size, ...asked }: UsersAsked & { lastId: number; size: number },
) => {
  const isCounted = asked.range === undefined && asked.keyword === undefined;
  return readPage(db, users, rowFields, {
    order: { by: users.fullname, id: users.id },
    scope: isMember(networkId),
    match: usersMatching(asked),
    count: isCounted ? () => countAllMembers(db, networkId, asked) : undefined,
    lastId,
    size,
  });
};

/** A member with all that a panel shows of them. */
export const findMember = async (db: Queryable, networkId: number, userId: number) => {
  const [found] = await db
    .select(rowFields)
    .from(users)
    .where(and(eq(users.id, userId), isMember(networkId)));
  if (!found) return undefined;
  const held = await db
    .select({ id: groups.id, name: groups.name })
    .from(groupUsers)
    .innerJoin(groups, eq(groups.id, groupUsers.group_id))
    .where(and(eq(groupUsers.user_id, userId), eq(groups.network_id, networkId)))
    .orderBy(asc(groups.name));
  return { ...found, groups: held };
};
export type Member = NonNullable<Awaited<ReturnType<typeof findMember>>>;

/** An account, held until the transaction ends. */
export const lockUser = async (tx: Queryable, userId: number): Promise<UserRecord | undefined> => {
  const [found] = await tx.select().from(users).where(eq(users.id, userId)).for('update');
  return found;
};

export const findUserByEmail = async (db: Queryable, email: string): Promise<UserRecord | undefined> => {
  const [found] = await db.select().from(users).where(eq(users.email, email));
  return found;
};

export const updateUser = (tx: Queryable, userId: number, changes: Partial<typeof users.$inferInsert>) =>
  tx.update(users).set(changes).where(eq(users.id, userId));

/**
 * Signed in nowhere any more: neither here nor, at its next request, at any site. In this order, as a session of the console may
 * just be opening from one that ends.
 */
export const endSessions = async (tx: Queryable, userId: number): Promise<void> => {
  await tx.delete(identitySessions).where(eq(identitySessions.user_id, userId));
  await tx.delete(consoleSessions).where(eq(consoleSessions.user_id, userId));
  await tx.delete(signIns).where(eq(signIns.user_id, userId));
};

/** Whoever has a network open that they are removed from goes on in another. */
export const moveSessions = (tx: Queryable, userId: number, from: number, to: number) =>
  tx
    .update(consoleSessions)
    .set({ selected_network_id: to })
    .where(and(eq(consoleSessions.user_id, userId), eq(consoleSessions.selected_network_id, from)));

/** Whether a link that was sent can still be taken. */
export const hasInvitation = async (db: Queryable, userId: number): Promise<boolean> => {
  const open = await db.$count(
    oneTimeTokens,
    sql`${oneTimeTokens.user_id} = ${userId} and ${oneTimeTokens.purpose} = 'activation'
      and ${oneTimeTokens.used_at} is null and ${oneTimeTokens.expires_at} > now()`,
  );
  return open > 0;
};

export const deleteInvitations = (tx: Queryable, userId: number) =>
  tx
    .delete(oneTimeTokens)
    .where(
      sql`${oneTimeTokens.user_id} = ${userId} and ${oneTimeTokens.purpose} = 'activation' and ${oneTimeTokens.used_at} is null`,
    );

/** Everything that ties an account to a network. */
export const deleteMembership = async (tx: Queryable, networkId: number, user: UserRecord): Promise<void> => {
  await tx.execute(
    sql`delete from ${groupUsers} using ${groups} where ${groups.id} = ${groupUsers.group_id}
      and ${groups.network_id} = ${networkId} and ${groupUsers.user_id} = ${user.id}`,
  );
  await tx.execute(
    sql`delete from ${siteVisits} using ${sites} where ${sites.id} = ${siteVisits.site_id}
      and ${sites.network_id} = ${networkId} and ${siteVisits.user_id} = ${user.id}`,
  );
  await tx.delete(owners).where(and(eq(owners.network_id, networkId), eq(owners.email, user.email)));
  await tx.delete(memberships).where(and(eq(memberships.network_id, networkId), eq(memberships.user_id, user.id)));
};

/** The network that an account has belonged to longest. */
export const findOldestMembership = async (tx: Queryable, userId: number): Promise<number | undefined> => {
  const [found] = await tx
    .select({ id: memberships.network_id })
    .from(memberships)
    .where(eq(memberships.user_id, userId))
    .orderBy(asc(memberships.created_at), asc(memberships.network_id))
    .limit(1);
  return found?.id;
};

export const deleteUser = (tx: Queryable, userId: number) => tx.delete(users).where(eq(users.id, userId));

/** How many accounts were made within some days, in a network or in all. */
export const countSignups = async (db: Queryable, range: string, networkId?: number) => {
  const [found] = await db
    .select({
      total: sql<number>`count(*)::int`,
      confirmed: sql<number>`(count(*) filter (where ${users.status} = 'Confirmed'))::int`,
    })
    .from(users)
    .where(
      and(
        withinDays(users.created_at, range),
        networkId === undefined ? undefined : eq(users.home_network_id, networkId),
      ),
    );
  const { total = 0, confirmed = 0 } = found ?? {};
  return { total, confirmed, non_confirmed: total - confirmed };
};

/** Members by id, which is their order in the index: for reading them all, however many. */
export const findUsersAfter = (db: Queryable, networkId: number, asked: UsersAsked, lastId: number, size: number) =>
  db
    .select(rowFields)
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.user_id))
    .where(and(eq(memberships.network_id, networkId), gt(memberships.user_id, lastId), usersMatching(asked)))
    .orderBy(asc(memberships.user_id))
    .limit(size);
