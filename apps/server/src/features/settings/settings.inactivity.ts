import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../database/connect.ts';
import { users } from '../../database/schema.ts';

/** When an account was last of use to anyone: `greatest` leaves out what never happened. */
const lastUse = (alias: SQL): SQL => sql`greatest(${alias}.created_at, ${alias}.last_login_at, ${alias}.reopened_at)`;

/**
 * Whether an account that could sign in has not done so for so many days. Who is never disabled does not count, nor does an
 * owner without whom a network would have none that uses it.
 */
export const isUnusedFor = (days: SQL): SQL<boolean> => {
  const limit = sql`now() - make_interval(days => ${days})`;
  return sql<boolean>`(
    ${users}.status = 'Confirmed' and ${users}.user_mode = 'Active' and not ${users}.bypass_inactivity
    and ${lastUse(sql`${users}`)} < ${limit}
    and not exists (
      select 1 from owners owned where owned.email = ${users}.email and not exists (
        select 1 from owners other join users colleague on colleague.email = other.email
        where other.network_id = owned.network_id and other.email <> owned.email
        and colleague.status = 'Confirmed' and colleague.user_mode = 'Active' and ${lastUse(sql`colleague`)} >= ${limit})))`;
};

const byPolicy = sql`policy.user_inactivity > 0 and ${isUnusedFor(sql`policy.user_inactivity`)}`;
const homePolicy = sql`network_settings policy where policy.network_id = ${users}.home_network_id`;

/**
 * The same by the rule of the account's home network; 0 days are unlimited. As a value, for one account: of a condition the planner
 * thinks that whoever owns much costs so much that it may as well read every network's rule.
 */
export const isInactive: SQL<boolean> = sql<boolean>`coalesce((select ${byPolicy} from ${homePolicy}), false)`;

/** Disables the accounts that nobody has used for longer than their network allows, each with its record. */
export const disableInactive = async (db: Queryable): Promise<void> => {
  await db.execute(sql`
    with disabled as (
      update ${users} set user_mode = 'Disable' where exists (select 1 from ${homePolicy} and ${byPolicy})
      returning id, email, home_network_id
    )
    insert into audit_records (network_id, actor, audit_type, action, description, old_data, new_data)
    select home_network_id, 'account policy', 'OpenSocial', 'update', 'update user ' || email,
      '{"user_mode":"Active"}', '{"user_mode":"Disable","reason":"inactivity"}'
    from disabled`);
};
