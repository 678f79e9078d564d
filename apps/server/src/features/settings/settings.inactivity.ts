import { type SQL, sql } from 'drizzle-orm';
import type { Transaction } from '../../database/connect.ts';
import { consoleSessions, identitySessions, users } from '../../database/schema.ts';
import { endAtSites } from '../../identity/ended-sessions.ts';
import { belongsElsewhere, hasOtherOwner, isOwnerOfNetwork } from '../../identity/membership.ts';
import type { Parts } from '../../parts.ts';

/** The last use of an account. `greatest` ignores the columns that are null. */
export const lastUse = (alias: SQL): SQL =>
  sql`greatest(${alias}.created_at, ${alias}.last_login_at, ${alias}.reopened_at)`;

/**
 * Whether an account that could sign in has not done so for so many days. Two kinds of account are exempt: those that are never
 * disabled, and an owner of the home network if all its other owners are unused too.
 */
export const isUnusedFor = (days: SQL): SQL<boolean> => {
  const limit = sql`now() - make_interval(days => ${days})`;
  const [id, homeNetworkId] = [sql`${users}.id`, sql`${users}.home_network_id`];
  const hasActiveColleague = hasOtherOwner(id, homeNetworkId, (owner) => sql`${lastUse(owner)} >= ${limit}`);
  return sql<boolean>`(
    ${users}.status = 'Confirmed' and ${users}.user_mode = 'Active' and not ${users}.bypass_inactivity and not ${users}.provisional
    and ${lastUse(sql`${users}`)} < ${limit}
    and (not ${isOwnerOfNetwork(id, homeNetworkId)} or ${hasActiveColleague}))`;
};

const byPolicy = sql`policy.user_inactivity > 0 and ${isUnusedFor(sql`policy.user_inactivity`)}`;
const homePolicy = sql`network_settings policy where policy.network_id = ${users}.home_network_id`;

/**
 * Like every decision of a network, the policy affects a whole account only if the account belongs to no other network.
 */
const isElsewhere = belongsElsewhere(sql`${users}.id`, sql`${users}.home_network_id`);

/**
 * Whether the policy of the home network prevents an account from signing in; 0 days means unlimited. It is meant to be
 * selected for a single account: as a condition, the planner overestimates its cost and reads the settings of every
 * network.
 */
export const isInactive: SQL<boolean> = sql<boolean>`coalesce((select ${byPolicy} and not ${isElsewhere} from ${homePolicy}), false)`;

/** Disables accounts that were not used for too long, each with an audit record. `networkId`: the account is disabled in this network only. */
const disableUnused = async (tx: Transaction): Promise<{ userId: number; networkId: number | undefined }[]> => {
  const isUnused = sql`exists (select 1 from ${homePolicy} and ${byPolicy})`;
  const { rows } = await tx.execute<{ id: string; network_id: string | null }>(sql`
    with disabled as (
      update ${users} set user_mode = 'Disable' where ${isUnused} and not ${isElsewhere}
      returning id, email, home_network_id
    ), shut_out as (
      update memberships set user_mode = 'Disable', sessions_ended_at = now() from ${users}
      where memberships.user_id = ${users}.id and memberships.network_id = ${users}.home_network_id
        and memberships.user_mode = 'Active' and ${isUnused} and ${isElsewhere}
      returning ${users}.id, ${users}.email, ${users}.home_network_id
    ), recorded as (
      insert into audit_records (network_id, actor, audit_type, action, description, old_data, new_data)
      select home_network_id, 'account policy', 'OpenSocial', 'update', 'update user ' || email,
        '{"user_mode":"Active"}', '{"user_mode":"Disable","reason":"inactivity"}'
      from (select * from disabled union all select * from shut_out) as unused
    )
    select id, null as network_id from disabled union all select id, home_network_id from shut_out`);
  return rows.map(({ id, network_id }) => ({
    userId: Number(id),
    networkId: network_id === null ? undefined : Number(network_id),
  }));
};

/**
 * Disables accounts that were not used for longer than their home network allows, and ends their sessions. An account
 * that belongs to other networks too is disabled in its home network only.
 */
export const disableInactive = ({ db, jobs }: Pick<Parts, 'db' | 'jobs'>): Promise<void> =>
  db.transaction(async (tx) => {
    const disabled = Map.groupBy(await disableUnused(tx), ({ networkId }) => networkId);
    for (const [networkId, people] of disabled) {
      const ids = people.map(({ userId }) => userId);
      const ofPeople = sql`${identitySessions.user_id} = any(${sql.param(ids)})`;
      await endAtSites(tx, jobs, ofPeople, { offlineOf: ids, ...(networkId !== undefined && { networkId }) });
      if (networkId !== undefined) continue;
      await tx.delete(identitySessions).where(ofPeople);
      await tx.delete(consoleSessions).where(sql`${consoleSessions.user_id} = any(${sql.param(ids)})`);
    }
  });
