import { and, asc, eq, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../database/connect.ts';
import {
  loginLog,
  memberCounts,
  memberships,
  networkSettings,
  networks,
  passkeys,
  peopleCounts,
  users,
} from '../../database/schema.ts';
import { isAdministeredBy } from '../../identity/membership.ts';
import { isUnusedFor, lastUse } from '../settings/settings.service.ts';
import { failedTries } from '../sign-in/sign-in.service.ts';

/** A network whose people are counted, and its rule for unused accounts in days; 0 means that there is none. */
export type CountedNetwork = { id: number; name: string; inactivity: number };

export const findCountedNetwork = async (db: Queryable, networkId: number): Promise<CountedNetwork | undefined> => {
  const [found] = await db
    .select({ id: networks.id, name: networks.name, inactivity: networkSettings.user_inactivity })
    .from(networks)
    .innerJoin(networkSettings, eq(networkSettings.network_id, networks.id))
    .where(eq(networks.id, networkId));
  return found;
};

/** The number of members by status. */
export const countMembers = async (db: Queryable, networkId: number) => {
  const [found] = await db
    .select({
      members: sql`coalesce(sum(${memberCounts.members}), 0)`.mapWith(Number),
      pending:
        sql`coalesce(sum(${memberCounts.members}) filter (where ${memberCounts.status} = 'NonConfirmed'), 0)`.mapWith(
          Number,
        ),
    })
    .from(memberCounts)
    .where(eq(memberCounts.network_id, networkId));
  return found ?? { members: 0, pending: 0 };
};

const isUsable = sql`not ${users.provisional} and ${users.status} = 'Confirmed' and ${users.user_mode} = 'Active'`;

/** How many days before an unused account is disabled it is announced. */
export const announcedDays = (inactivity: number): number => Math.min(7, Math.ceil(inactivity / 2));

const isUnusedSoon = ({ inactivity }: CountedNetwork): SQL =>
  inactivity === 0 ? sql`false` : isUnusedFor(sql`${inactivity - announcedDays(inactivity)}::int`);

const listedIds = 20;

type Batch = { counted: number; last_id: number; people: number; with_factor: number; with_passkey: number };

/** Counts some members, by id. `last_id` is the last of them, and the ids are those of accounts that will be disabled the soonest. */
export const countSomePeople = async (
  db: Queryable,
  network: CountedNetwork,
  { after, size }: { after: number; size: number },
): Promise<Batch & { unused: number; unusedIds: number[] }> => {
  const hasPasskey = sql`exists (select 1 from ${passkeys} where ${passkeys.user_id} = ${users.id})`;
  const { rows } = await db.execute<Record<keyof Batch | 'unused', string> & { unused_ids: string[] | null }>(sql`
    with batch as (
      select ${memberships.user_id} as id from ${memberships}
      where ${memberships.network_id} = ${network.id} and ${memberships.user_id} > ${after} order by ${memberships.user_id} limit ${size}
    ), person as (
      select ${users.id} as id, ${users.totp_secret} is not null or ${users.email_mfa} as has_code, ${hasPasskey} as has_passkey,
        ${isUnusedSoon(network)} as is_unused, ${lastUse(sql`${users}`)} as last_use
      from ${users} where ${and(sql`${users.id} in (select id from batch)`, isUsable, isAdministeredBy(network))}
    )
    select (select count(*) from batch) as counted, (select coalesce(max(id), 0) from batch) as last_id, count(*) as people,
      count(*) filter (where has_code or has_passkey) as with_factor, count(*) filter (where has_passkey) as with_passkey,
      count(*) filter (where is_unused) as unused,
      (array_agg(id order by last_use) filter (where is_unused))[1:${sql.raw(String(listedIds))}] as unused_ids
    from person`);
  const [row] = rows;
  const numberOf = (field: keyof Batch | 'unused') => Number(row?.[field] ?? 0);
  return {
    counted: numberOf('counted'),
    last_id: numberOf('last_id'),
    people: numberOf('people'),
    with_factor: numberOf('with_factor'),
    with_passkey: numberOf('with_passkey'),
    unused: numberOf('unused'),
    unusedIds: (row?.unused_ids ?? []).map(Number),
  };
};

/** Those of some accounts that will be disabled, the soonest first. */
export const findUnusedAccounts = (db: Queryable, network: CountedNetwork, ids: readonly number[], most: number) =>
  db
    .select({
      id: users.id,
      fullname: users.fullname,
      email: users.email,
      disabledAt: sql`${lastUse(sql`${users}`)} + make_interval(days => ${network.inactivity})`.mapWith(
        users.created_at,
      ),
    })
    .from(users)
    .where(
      and(sql`${users.id} = any(${sql.param([...ids])}::bigint[])`, isAdministeredBy(network), isUnusedSoon(network)),
    )
    .orderBy(asc(lastUse(sql`${users}`)), asc(users.id))
    .limit(most);

/** How many recent lines of the log are searched for failures. */
const searchedLines = 2_000;

/** The administered accounts with failed sign-ins among the most recent ones of the network, and the limit of failed attempts of each. */
export const findFailingAccounts = (db: Queryable, network: CountedNetwork, most: number) => {
  const recent = db
    .select({ userId: loginLog.user_id, status: loginLog.login_status })
    .from(loginLog)
    .where(and(eq(loginLog.network_id, network.id), sql`${loginLog.login_time} > now() - interval '12 hours'`))
    .orderBy(sql`${loginLog.login_time} desc`, sql`${loginLog.id} desc`)
    .limit(searchedLines)
    .as('recent');
  return db
    .select({
      id: users.id,
      fullname: users.fullname,
      email: users.email,
      failedTries,
    })
    .from(users)
    .where(
      and(
        sql`${users.id} in (select ${recent.userId} from ${recent} where ${recent.status} = 'Failed')`,
        isUsable,
        isAdministeredBy(network),
      ),
    )
    .limit(most);
};

/** Networks with more members than are counted while somebody waits, whose last count is older than an hour. */
export const findLargeNetworks = (db: Queryable, fewest: number): Promise<CountedNetwork[]> =>
  db
    .select({ id: networks.id, name: networks.name, inactivity: networkSettings.user_inactivity })
    .from(networks)
    .innerJoin(networkSettings, eq(networkSettings.network_id, networks.id))
    .leftJoin(peopleCounts, eq(peopleCounts.network_id, networks.id))
    .where(
      and(
        sql`${networks.id} in (select ${memberCounts.network_id} from ${memberCounts} group by 1 having sum(${memberCounts.members}) > ${fewest})`,
        sql`coalesce(${peopleCounts.counted_at} < now() - interval '1 hour', true)`,
      ),
    );

type PeopleCounts = typeof peopleCounts.$inferSelect;

export const findPeopleCounts = async (db: Queryable, networkId: number): Promise<PeopleCounts | undefined> => {
  const [found] = await db.select().from(peopleCounts).where(eq(peopleCounts.network_id, networkId));
  return found;
};

export const upsertPeopleCounts = async (db: Queryable, counts: PeopleCounts): Promise<void> => {
  const { network_id: _network, ...counted } = counts;
  await db.insert(peopleCounts).values(counts).onConflictDoUpdate({ target: peopleCounts.network_id, set: counted });
};
