import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';

/** The network that the console signs in through, made at the first start. Its owners look after the whole installation. */
export const mainNetworkName = 'opensocial';

/**
 * The SQL conditions that decide who belongs to a network and who owns it. Every query takes them from here, so that all of them
 * decide alike. Their tables have aliases of their own: a query on `users` or `memberships` may embed them.
 */
type Value = SQLWrapper | number;

/** Whether an account may use a network: it is a member, and the network's owners have neither disabled nor un-confirmed it there. */
export const isActiveMember = (userId: Value, networkId: Value): SQL<boolean> =>
  sql<boolean>`exists (select 1 from memberships belonging
    where belonging.user_id = ${userId} and belonging.network_id = ${networkId}
      and belonging.status = 'Confirmed' and belonging.user_mode = 'Active')`;

/** The same for any network: what opens the console. */
export const isActiveMemberAnywhere = (userId: Value): SQL<boolean> =>
  sql<boolean>`exists (select 1 from memberships belonging
    where belonging.user_id = ${userId} and belonging.status = 'Confirmed' and belonging.user_mode = 'Active')`;

/** Whether an account belongs to another network than this one, whatever it may do there. */
export const belongsElsewhere = (userId: Value, networkId: Value): SQL<boolean> =>
  sql<boolean>`exists (select 1 from memberships belonging
    where belonging.user_id = ${userId} and belonging.network_id <> ${networkId})`;

/** Whether the sessions of a member in a network were ended after a sign-in. */
export const haveSessionsEnded = (userId: Value, networkId: Value, authenticatedAt: Date): SQL<boolean> =>
  sql<boolean>`exists (select 1 from memberships belonging
    where belonging.user_id = ${userId} and belonging.network_id = ${networkId}
      and belonging.sessions_ended_at >= ${authenticatedAt.toISOString()}::timestamptz)`;

/**
 * Ownership is granted to an email address. It is in effect once the account with that address is confirmed, active, and an
 * active member of the network; an invitation that nobody has accepted owns nothing.
 */
const ownerships = sql`owners ownership
  join users owning on owning.email = ownership.email and not owning.provisional
    and owning.status = 'Confirmed' and owning.user_mode = 'Active'`;

/** Whether an account owns a network. */
export const isOwnerOfNetwork = (userId: Value, networkId: Value): SQL<boolean> =>
  sql<boolean>`exists (select 1 from ${ownerships} where ownership.network_id = ${networkId} and owning.id = ${userId}
    and ${isActiveMember(sql`owning.id`, sql`ownership.network_id`)})`;

/** Whether an address that is listed as an owner of a network is one in effect. */
export const isEffectiveOwner = (email: SQLWrapper | string, networkId: Value): SQL<boolean> =>
  sql<boolean>`exists (select 1 from ${ownerships} where ownership.network_id = ${networkId} and ownership.email = ${email}
    and ${isActiveMember(sql`owning.id`, sql`ownership.network_id`)})`;
