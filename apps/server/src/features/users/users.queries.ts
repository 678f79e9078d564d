import type { Counting, UserMode, UserStatus } from '@opensocial/contract';
import { and, asc, type Column, eq, gt, ne, or, type SQL, sql } from 'drizzle-orm';
import { nested, type Queryable } from '../../database/connect.ts';
import { type Period, withinPeriod } from '../../database/days.ts';
import { containsFolded, containsPlainly, exactly, readPage } from '../../database/paging.ts';
import {
  consoleSessions,
  desktopFavourites,
  groups,
  groupUsers,
  identitySessions,
  memberCounts,
  memberships,
  networks,
  oneTimeTokens,
  owners,
  passkeys,
  signIns,
  sites,
  siteVisits,
  users,
} from '../../database/schema.ts';
import { endAtSites } from '../../identity/ended-sessions.ts';
import {
  hasMembershipMode,
  hasMembershipStatus,
  isAdministeredBy,
  isMember,
  perRow,
} from '../../identity/membership.ts';
import type { Jobs } from '../../jobs/jobs.ts';

export type UserRecord = typeof users.$inferSelect;

/** Whether a row of users, account or invitation, is in the list of a network. */
export const isListedIn = (networkId: number): SQL => isMember(users.id, networkId);

/**
 * The status of a member as the owners of a network see it: confirmed or active only if both account and membership
 * are. Of the two values, the restrictive one is greater.
 */
const shownStatus = (networkId: number) => shown<UserStatus>(users.status, memberships.status, networkId);
export const shownMode = (networkId: number) => shown<UserMode>(users.user_mode, memberships.user_mode, networkId);

const shown = <Word extends string>(account: Column, membership: Column, networkId: number) =>
  nested<Word>(sql`greatest(${account}, (select ${membership} from ${memberships}
    where ${memberships.user_id} = ${users.id} and ${memberships.network_id} = ${networkId}))`);

/** Reads the counters, because a network may have a million members. */
export const countAllMembers = async (
  db: Queryable,
  networkId: number,
  { status, mode }: Pick<UsersQuery, 'status' | 'mode'> = {},
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

/** The last sign-in that the owners of a network may know of. */
const lastLoginIn = (networkId: number) =>
  nested<Date | null>(sql`(select ${memberships.last_login_at} from ${memberships}
    where ${memberships.user_id} = ${users.id} and ${memberships.network_id} = ${networkId})`).mapWith(
    users.last_login_at,
  );

const rowFields = (networkId: number) => ({
  id: users.id,
  uid: users.uid,
  email: users.email,
  firstname: users.firstname,
  lastname: users.lastname,
  fullname: users.fullname,
  status: shownStatus(networkId),
  user_mode: shownMode(networkId),
  provisional: users.provisional,
  bypass_inactivity: users.bypass_inactivity,
  created_at: users.created_at,
  last_login_at: lastLoginIn(networkId),
  home_network_id: users.home_network_id,
  signup_server: nested<string>(
    sql`(select ${networks.name} from ${networks} where ${networks.id} = ${users.home_network_id})`,
  ),
});

type ListedNetwork = { id: number; name: string };

/** How many groups of a person are listed by name. */
const namedGroups = 3;

/** What a list shows of each person, besides the fields of a row. */
const listFields = (network: ListedNetwork) => {
  const ofUser = sql`${groupUsers.user_id} = ${users.id} and ${groups.network_id} = ${network.id}`;
  const hasPasskey = sql`exists (select 1 from ${passkeys} where ${passkeys.user_id} = ${users.id})`;
  return {
    ...rowFields(network.id),
    /** Null if the owners of the network may not see them. */
    factors: nested<Factor[] | null>(sql`case when not ${users.provisional} and ${perRow(isAdministeredBy(network))}
      then array_remove(array[case when ${hasPasskey} then 'passkey' end, case when ${users.totp_secret} is not null then 'totp' end,
        case when ${users.email_mfa} then 'email' end], null) end`),
    group_names: nested<string[]>(sql`array(select ${groups.name} from ${groupUsers}
      join ${groups} on ${groups.id} = ${groupUsers.group_id} where ${ofUser} order by ${groups.name} limit ${namedGroups})`),
    group_count: nested<number>(sql`(select count(*) from ${groupUsers}
      join ${groups} on ${groups.id} = ${groupUsers.group_id} where ${ofUser})`).mapWith(Number),
  };
};

type Factor = 'passkey' | 'totp' | 'email';

export type UsersQuery = {
  status?: UserStatus | undefined;
  mode?: UserMode | undefined;
  period?: Period | undefined;
  keyword?: string | undefined;
};

type UsersSort = `${'' | '-'}${'email' | 'name' | 'last_login'}`;

/** The same result as `shownStatus` and `shownMode`, written so that the planner can use the account's own column. */
const hasStatus = (networkId: number, status: UserStatus): SQL | undefined =>
  status === 'Confirmed'
    ? and(eq(users.status, status), hasMembershipStatus(users.id, networkId, status))
    : or(eq(users.status, status), hasMembershipStatus(users.id, networkId, status));
const hasMode = (networkId: number, mode: UserMode): SQL | undefined =>
  mode === 'Active'
    ? and(eq(users.user_mode, mode), hasMembershipMode(users.id, networkId, mode))
    : or(eq(users.user_mode, mode), hasMembershipMode(users.id, networkId, mode));

const filtering = (networkId: number, { status, mode, period }: UsersQuery): SQL | undefined =>
  and(status && hasStatus(networkId, status), mode && hasMode(networkId, mode), withinPeriod(users.created_at, period));

const usersMatching = (networkId: number, query: UsersQuery): SQL | undefined =>
  and(filtering(networkId, query), containsFolded(users, query.keyword));

type UsersPage = UsersQuery & { sort?: UsersSort | undefined; counting?: Counting; lastId: number; size: number };

export const readUsers = (
  db: Queryable,
  network: ListedNetwork,
  { sort, lastId, size, counting, ...query }: UsersPage,
) => {
  const isCounted = query.period === undefined && query.keyword === undefined;
  const scope = isListedIn(network.id);
  const match = usersMatching(network.id, query);
  const count = isCounted ? async () => exactly(await countAllMembers(db, network.id, query)) : undefined;
  const descending = sort?.startsWith('-');
  if (sort === 'last_login' || sort === '-last_login')
    return readPage(db, memberships, listFields(network), {
      // Written as in the index. People who never signed in are the first in ascending order.
      order: { by: sql`coalesce(${memberships.last_login_at}, '-infinity')`, id: memberships.user_id, descending },
      scope: eq(memberships.network_id, network.id),
      join: { table: users, on: eq(users.id, memberships.user_id) },
      match,
      count,
      counting,
      lastId,
      size,
    });
  const { keyword } = query;
  const matchInOrder = and(
    filtering(network.id, query),
    keyword === undefined ? undefined : containsPlainly(users.searched, keyword),
  );
  const by = sort === 'email' || sort === '-email' ? users.email : users.fullname;
  return readPage(db, users, listFields(network), {
    order: { by, id: users.id, descending },
    scope,
    match,
    count,
    matchInOrder: by === users.fullname ? matchInOrder : undefined,
    counting,
    lastId,
    size,
  });
};

/** A member with everything that their panel shows. */
export const findMember = async (db: Queryable, networkId: number, userId: number) => {
  const [found] = await db
    .select({ ...rowFields(networkId), picture: users.picture })
    .from(users)
    .where(and(eq(users.id, userId), isListedIn(networkId)));
  if (!found) return undefined;
  const groupsOfUser = await db
    .select({ id: groups.id, name: groups.name })
    .from(groupUsers)
    .innerJoin(groups, eq(groups.id, groupUsers.group_id))
    .where(and(eq(groupUsers.user_id, userId), eq(groups.network_id, networkId)))
    .orderBy(asc(groups.name));
  return { ...found, groups: groupsOfUser };
};
export type Member = NonNullable<Awaited<ReturnType<typeof findMember>>>;

export const findUser = async (db: Queryable, userId: number): Promise<UserRecord | undefined> => {
  const [found] = await db.select().from(users).where(eq(users.id, userId));
  return found;
};

/** An account or invitation, locked until the transaction ends. */
export const findUserForUpdate = async (tx: Queryable, userId: number): Promise<UserRecord | undefined> => {
  const [found] = await tx.select().from(users).where(eq(users.id, userId)).for('update');
  return found;
};

/** The account with an address; invitations do not count. */
export const findAccountByEmail = async (db: Queryable, email: string): Promise<UserRecord | undefined> => {
  const [found] = await db
    .select()
    .from(users)
    .where(and(eq(users.email, email), eq(users.provisional, false)));
  return found;
};

/**
 * A person who was invited by a network and has not accepted yet, locked until the transaction ends: an invitation, or
 * an account that has to be confirmed again. Disabled people do not count.
 */
export const findInvitedForUpdate = async (tx: Queryable, networkId: number, userId: number) => {
  const [found] = await tx
    .select({ user: users, network: { id: networks.id, name: networks.name } })
    .from(users)
    .innerJoin(memberships, and(eq(memberships.user_id, users.id), eq(memberships.network_id, networkId)))
    .innerJoin(networks, eq(networks.id, memberships.network_id))
    .where(
      and(
        eq(users.id, userId),
        eq(users.user_mode, 'Active'),
        eq(memberships.user_mode, 'Active'),
        or(eq(users.provisional, true), eq(users.status, 'NonConfirmed')),
      ),
    )
    .for('update', { of: users });
  return found;
};

/** The row of `users` with an address in a network: a member's account, or an invitation. */
export const findMemberByEmail = async (
  db: Queryable,
  networkId: number,
  email: string,
): Promise<UserRecord | undefined> => {
  const [found] = await db
    .select()
    .from(users)
    .where(and(eq(users.email, email.toLowerCase()), isListedIn(networkId)));
  return found;
};

export type MembershipRecord = typeof memberships.$inferSelect;

export const findMembership = async (
  db: Queryable,
  networkId: number,
  userId: number,
): Promise<MembershipRecord | undefined> => {
  const [found] = await db
    .select()
    .from(memberships)
    .where(and(eq(memberships.network_id, networkId), eq(memberships.user_id, userId)));
  return found;
};

export const updateMembership = (
  tx: Queryable,
  networkId: number,
  userId: number,
  changes: Partial<Pick<MembershipRecord, 'status' | 'user_mode'>>,
) =>
  tx
    .update(memberships)
    .set(changes)
    .where(and(eq(memberships.network_id, networkId), eq(memberships.user_id, userId)));

/** Whether an account belongs to any other network. */
export const hasOtherNetwork = async (tx: Queryable, userId: number, networkId: number): Promise<boolean> =>
  (await tx.$count(memberships, and(eq(memberships.user_id, userId), ne(memberships.network_id, networkId)))) > 0;

export const updateUser = (tx: Queryable, userId: number, changes: Partial<typeof users.$inferInsert>) =>
  tx.update(users).set(changes).where(eq(users.id, userId));

/**
 * Ends all sessions of an account: identity sessions, console sessions, begun sign-ins, and offline access. In this order, because a
 * console session may be opening from an identity session that ends here.
 */
export const endSessions = async (tx: Queryable, jobs: Jobs, userId: number): Promise<void> => {
  await endAtSites(tx, jobs, eq(identitySessions.user_id, userId), { offlineOf: [userId] });
  await tx.delete(identitySessions).where(eq(identitySessions.user_id, userId));
  await tx.delete(consoleSessions).where(eq(consoleSessions.user_id, userId));
  await tx.delete(signIns).where(eq(signIns.user_id, userId));
};

/**
 * Ends the sessions of an account in one network. Its identity session stays for the other networks, but the sites of
 * this one accept it only after a new sign-in.
 */
export const endSessionsIn = async (tx: Queryable, jobs: Jobs, networkId: number, userId: number): Promise<void> => {
  await endAtSites(tx, jobs, eq(identitySessions.user_id, userId), { networkId, offlineOf: [userId] });
  await tx
    .update(memberships)
    .set({ sessions_ended_at: sql`now()` })
    .where(and(eq(memberships.network_id, networkId), eq(memberships.user_id, userId)));
  await tx
    .delete(signIns)
    .where(
      and(
        eq(signIns.user_id, userId),
        sql`${signIns.site_id} in (select ${sites.id} from ${sites} where ${sites.network_id} = ${networkId})`,
      ),
    );
};

/** Switches console sessions from a network that the user may no longer use to another one. */
export const moveSessions = (tx: Queryable, userId: number, from: number, to: number) =>
  tx
    .update(consoleSessions)
    .set({ selected_network_id: to })
    .where(and(eq(consoleSessions.user_id, userId), eq(consoleSessions.selected_network_id, from)));

export const deleteInvitations = (tx: Queryable, userId: number) =>
  tx
    .delete(oneTimeTokens)
    .where(
      sql`${oneTimeTokens.user_id} = ${userId} and ${oneTimeTokens.purpose} = 'activation' and ${oneTimeTokens.used_at} is null`,
    );

/** The invitation of an address to a network, locked until the transaction ends. */
export const findInvitationForUpdate = async (tx: Queryable, networkId: number, email: string) => {
  const [found] = await tx
    .select()
    .from(users)
    .where(
      and(
        eq(users.email, email),
        eq(users.home_network_id, networkId),
        eq(users.provisional, true),
        eq(users.user_mode, 'Active'),
      ),
    )
    .for('update');
  return found;
};

/** Moves membership and groups of an invitation to the account that accepts it, and deletes the invitation. */
export const mergeInvitation = async (
  tx: Queryable,
  networkId: number,
  invitationId: number,
  userId: number,
): Promise<void> => {
  await tx.insert(memberships).values({ network_id: networkId, user_id: userId }).onConflictDoNothing();
  await tx.execute(sql`insert into ${groupUsers} (group_id, user_id)
    select group_id, ${userId} from ${groupUsers} where user_id = ${invitationId} order by 1 on conflict do nothing`);
  await tx.delete(users).where(eq(users.id, invitationId));
};

/** Deletes everything that ties an account to a network. */
export const deleteMembership = async (tx: Queryable, networkId: number, user: UserRecord): Promise<void> => {
  await tx.execute(
    sql`delete from ${groupUsers} using ${groups} where ${groups.id} = ${groupUsers.group_id}
      and ${groups.network_id} = ${networkId} and ${groupUsers.user_id} = ${user.id}`,
  );
  await tx.execute(
    sql`delete from ${siteVisits} using ${sites} where ${sites.id} = ${siteVisits.site_id}
      and ${sites.network_id} = ${networkId} and ${siteVisits.user_id} = ${user.id}`,
  );
  await tx.execute(
    sql`delete from ${desktopFavourites} using ${sites} where ${sites.id} = ${desktopFavourites.site_id}
      and ${sites.network_id} = ${networkId} and ${desktopFavourites.user_id} = ${user.id}`,
  );
  await tx.delete(owners).where(and(eq(owners.network_id, networkId), eq(owners.email, user.email)));
  await tx.delete(memberships).where(and(eq(memberships.network_id, networkId), eq(memberships.user_id, user.id)));
};

/** The other network to which an account has belonged longest, preferably one that it may use. */
export const findOtherNetwork = async (
  tx: Queryable,
  userId: number,
  networkId: number,
): Promise<number | undefined> => {
  const [found] = await tx
    .select({ id: memberships.network_id })
    .from(memberships)
    .where(and(eq(memberships.user_id, userId), ne(memberships.network_id, networkId)))
    .orderBy(
      asc(memberships.status),
      asc(memberships.user_mode),
      asc(memberships.created_at),
      asc(memberships.network_id),
    )
    .limit(1);
  return found?.id;
};

export const deleteUser = (tx: Queryable, userId: number) => tx.delete(users).where(eq(users.id, userId));

/** Counts the accounts created within a period, in one network or in all. */
export const countSignups = async (db: Queryable, period: Period | undefined, networkId?: number) => {
  const [found] = await db
    .select({
      total: sql<number>`count(*)::int`,
      confirmed: sql<number>`(count(*) filter (where ${users.status} = 'Confirmed'))::int`,
    })
    .from(users)
    .where(
      and(
        withinPeriod(users.created_at, period),
        networkId === undefined ? undefined : eq(users.home_network_id, networkId),
      ),
    );
  const { total = 0, confirmed = 0 } = found ?? {};
  return { total, confirmed, non_confirmed: total - confirmed };
};

/** Members by id, in index order, for reading all of them. */
export const findUsersAfter = (db: Queryable, networkId: number, query: UsersQuery, lastId: number, size: number) =>
  db
    .select(rowFields(networkId))
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.user_id))
    .where(and(eq(memberships.network_id, networkId), gt(memberships.user_id, lastId), usersMatching(networkId, query)))
    .orderBy(asc(memberships.user_id))
    .limit(size);
