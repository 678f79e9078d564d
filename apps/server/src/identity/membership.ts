import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';

/**
 * The network that the console signs in through. It is created at the first start, and its owners administer the whole
 * installation.
 */
export const mainNetworkName = 'opensocial';

/**
 * The SQL conditions that decide who is a member of a network and who owns it. All queries use them, so that they
 * decide alike. The aliases of the tables begin with `access_`, so that they do not collide with those of a query that
 * embeds the conditions.
 */
type Value = SQLWrapper | number;

const membershipExists = (userId: Value, condition: SQL): SQL<boolean> =>
  sql<boolean>`exists (select 1 from memberships access_membership where access_membership.user_id = ${userId} and ${condition})`;

const isActive = sql`access_membership.status = 'Confirmed' and access_membership.user_mode = 'Active'`;

/**
 * A condition for the fields of a list. There, PostgreSQL would hash the result of an `exists` for all rows that the list could have,
 * a million perhaps, although only those of one page are read. Inside a scalar subquery it is evaluated for each row that is read.
 */
export const perRow = (condition: SQL<boolean>): SQL<boolean> => sql<boolean>`(select ${condition})`;

/** Whether a row of users, account or invitation, belongs to a network, active or not. */
export const isMember = (userId: Value, networkId: Value): SQL<boolean> =>
  membershipExists(userId, sql`access_membership.network_id = ${networkId}`);

export const hasMembershipStatus = (userId: Value, networkId: Value, status: string): SQL<boolean> =>
  membershipExists(userId, sql`access_membership.network_id = ${networkId} and access_membership.status = ${status}`);

export const hasMembershipMode = (userId: Value, networkId: Value, mode: string): SQL<boolean> =>
  membershipExists(userId, sql`access_membership.network_id = ${networkId} and access_membership.user_mode = ${mode}`);

/** Whether an account may use a network: it is a member, and the network's owners have neither disabled nor un-confirmed it there. */
export const isActiveMember = (userId: Value, networkId: Value): SQL<boolean> =>
  membershipExists(userId, sql`access_membership.network_id = ${networkId} and ${isActive}`);

/** Whether an account may use at least one network. It then may use the console. */
export const isActiveMemberAnywhere = (userId: Value): SQL<boolean> => membershipExists(userId, isActive);

/** Whether an account belongs to a network other than this one, active or not. */
export const belongsElsewhere = (userId: Value, networkId: Value): SQL<boolean> =>
  membershipExists(userId, sql`access_membership.network_id <> ${networkId}`);

/**
 * Whether the owners of a network administer the whole account of a row of `users`, and may see its second factors and locks: it belongs to
 * no other network, or the network is the main one. This is the reach `account` of decision 19, as a condition.
 */
export const isAdministeredBy = ({ id, name }: { id: number; name: string }): SQL<boolean> =>
  name === mainNetworkName
    ? sql<boolean>`true`
    : sql<boolean>`(users.home_network_id = ${id} and not ${belongsElsewhere(sql`users.id`, id)})`;

/** Whether the sessions of a member in a network were ended after a sign-in. */
export const haveSessionsEnded = (userId: Value, networkId: Value, authenticatedAt: SQLWrapper): SQL<boolean> =>
  membershipExists(
    userId,
    sql`access_membership.network_id = ${networkId} and access_membership.sessions_ended_at >= ${authenticatedAt}::timestamptz`,
  );

/**
 * Whether a network has an owner who meets a condition on `access_owner` or `access_account`. Ownership is granted to an
 * email address. It takes effect once the account with that address is confirmed, active, and an active member of the
 * network. An invitation that was not accepted owns nothing.
 */
const ownerExists = (networkId: Value, condition: SQL): SQL<boolean> =>
  sql<boolean>`exists (select 1 from owners access_owner
    join users access_account on access_account.email = access_owner.email and not access_account.provisional
      and access_account.status = 'Confirmed' and access_account.user_mode = 'Active'
    where access_owner.network_id = ${networkId} and ${condition}
      and ${isActiveMember(sql`access_account.id`, sql`access_owner.network_id`)})`;

/** Whether an account owns a network. */
export const isOwnerOfNetwork = (userId: Value, networkId: Value): SQL<boolean> =>
  ownerExists(networkId, sql`access_account.id = ${userId}`);

/** Whether the ownership of an address that is listed as an owner of a network is in effect. */
export const isEffectiveOwner = (email: SQLWrapper | string, networkId: Value): SQL<boolean> =>
  ownerExists(networkId, sql`access_owner.email = ${email}`);

/** Whether a network has another owner whose account, by the alias `owner`, meets a condition. */
export const hasOtherOwner = (userId: Value, networkId: Value, condition: (owner: SQL) => SQL): SQL<boolean> =>
  ownerExists(networkId, sql`access_account.id <> ${userId} and ${condition(sql`access_account`)}`);
