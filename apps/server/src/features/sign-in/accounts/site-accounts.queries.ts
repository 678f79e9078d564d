import { and, eq, type SQL, sql } from 'drizzle-orm';
import { type Database, nested, prepared, type Queryable } from '../../../database/connect.ts';
import {
  groupSites,
  groupUsers,
  memberships,
  networkSettings,
  passkeys,
  recoveryCodes,
  sites,
  users,
} from '../../../database/schema.ts';
import { belongsElsewhere, isActiveMemberAnywhere, isOwnerOfNetwork } from '../../../identity/membership.ts';
import { ownerSince } from '../../mfa/mfa.owners.service.ts';
import { isInactive } from '../../settings/settings.service.ts';
import type { Destination } from '../destination/destinations.queries.ts';

/** The minimum of failed attempts for a member of several networks, even if the home network allows fewer. */
const minimumTries = 5;

/**
 * The number of failed attempts that lock an account, as its home network has set it; 0 is no limit. The minimum keeps one network from
 * locking a person out of other networks after a single mistake.
 */
export const failedTries = nested<number>(
  sql`(select case when ${networkSettings.failed_tries} between 1 and ${sql.raw(String(minimumTries))}
      and ${belongsElsewhere(users.id, users.home_network_id)} then ${sql.raw(String(minimumTries))}
      else ${networkSettings.failed_tries} end
    from ${networkSettings} where ${networkSettings.network_id} = ${users.home_network_id})`,
);

/**
 * The columns that the checks of an account at a site read. The queries join the site and the account's membership in the site's network.
 */
const checkedColumns = {
  status: users.status,
  mode: users.user_mode,
  isInactive: nested<boolean>(isInactive),
  /** The console is open to the members of every network. */
  isMember: sql<boolean>`case ${sites.kind} when 'console' then ${isActiveMemberAnywhere(users.id)}
    else ${memberships.user_id} is not null end`,
  /** Whether the owners of this network have disabled or un-confirmed the member in it. */
  isBlocked: sql<boolean>`${sites.kind} = 'site'
    and coalesce(${memberships.status} <> 'Confirmed' or ${memberships.user_mode} <> 'Active', false)`,
  isOwner: isOwnerOfNetwork(users.id, sites.network_id),
  isInGroup: nested<boolean>(sql`not exists (select 1 from ${groupSites} where ${groupSites.site_id} = ${sites.id})
    or exists (select 1 from ${groupSites} join ${groupUsers} on ${groupUsers.group_id} = ${groupSites.group_id}
      where ${groupSites.site_id} = ${sites.id} and ${groupUsers.user_id} = ${users.id})`),
  /** Whether the person may enter the site while it is closed. */
  isTester: nested<boolean>(sql`${sites.testers_group_id} is not null and exists (select 1 from ${groupUsers}
    where ${groupUsers.group_id} = ${sites.testers_group_id} and ${groupUsers.user_id} = ${users.id})`),
};

/** The columns of an account at a site. */
export const siteAccountColumns = {
  ...checkedColumns,
  id: users.id,
  uid: users.uid,
  email: users.email,
  firstname: users.firstname,
  lastname: users.lastname,
  fullname: users.fullname,
  passwordHash: users.password_hash,
  failedTries,
  homeNetworkId: users.home_network_id,
  /** Whether the password has reached the maximum age that the home network allows. */
  isPasswordOld: nested<boolean>(
    sql`exists (select 1 from ${networkSettings} where ${networkSettings.network_id} = ${users.home_network_id}
      and ${networkSettings.password_expiration} > 0 and ${users.password_hash} is not null
      and coalesce(${users.password_changed_at}, ${users.created_at})
        < now() - make_interval(months => ${networkSettings.password_expiration}))`,
  ),
  hasTotp: sql<boolean>`${users.totp_secret} is not null`,
  hasPasskey: nested<boolean>(sql`exists (select 1 from ${passkeys} where ${passkeys.user_id} = ${users.id})`),
  emailMfa: users.email_mfa,
  hasRecoveryCodes: nested<boolean>(
    sql`exists (select 1 from ${recoveryCodes} where ${recoveryCodes.user_id} = ${users.id} and ${recoveryCodes.used_at} is null)`,
  ),
  /** At the console, the policy of the person's home network applies if the main network requires no second factor. */
  homeMfaOptions: nested<string[] | null>(
    sql`(select ${networkSettings.mfa_options} from ${networkSettings} where ${networkSettings.network_id} = ${users.home_network_id}
      and ${networkSettings.mfa} = 'Enable' and ${sites.kind} = 'console')`,
  ),
  /** Selected only at the console. */
  ownsMainSince: nested<number | null>(sql`case when ${sites.kind} = 'console' then ${ownerSince.ownsMainSince} end`),
  ownsAnySince: nested<number | null>(sql`case when ${sites.kind} = 'console' then ${ownerSince.ownsAnySince} end`),
  credentialsAt: users.credentials_at,
  lastLoginAt: users.last_login_at,
  /** The person's groups to which the site is assigned. A site must not learn about the others. */
  groups: nested<string[]>(sql`array(select name from groups join ${groupUsers} on ${groupUsers.group_id} = groups.id
    join ${groupSites} on ${groupSites.group_id} = groups.id
    where ${groupUsers.user_id} = ${users.id} and ${groupSites.site_id} = ${sites.id} order by name)`),
};

/**
 * The same columns for sites of the kind `site`. The subqueries for the console would only return null there, but PostgreSQL prepares every
 * subquery of a statement at each execution, which takes longer than to read an account.
 */
export const accountColumnsAtSite: typeof siteAccountColumns = {
  ...siteAccountColumns,
  isMember: sql<boolean>`${memberships.user_id} is not null`,
  homeMfaOptions: sql<string[] | null>`null::text[]`,
  ownsMainSince: sql<number | null>`null::float8`,
  ownsAnySince: sql<number | null>`null::float8`,
};

export const isMembershipAtSite = and(eq(memberships.user_id, users.id), eq(memberships.network_id, sites.network_id));

const siteAccountWhere = (name: string, where: SQL) =>
  prepared((db) =>
    db
      .select(siteAccountColumns)
      .from(users)
      .innerJoin(sites, eq(sites.id, sql.placeholder('siteId')))
      .leftJoin(memberships, isMembershipAtSite)
      .where(where)
      .prepare(`site_account_by_${name}`),
  );
const siteAccountByEmail = siteAccountWhere(
  'email',
  sql`${eq(users.email, sql.placeholder('email'))} and not ${users.provisional}`,
);
const siteAccountById = siteAccountWhere('id', eq(users.id, sql.placeholder('id')));
const siteAccountByUid = siteAccountWhere('uid', eq(users.uid, sql.placeholder('uid')));

export const findSiteAccountByEmail = async (db: Database, { site }: Destination, email: string) => {
  const [found] = await siteAccountByEmail(db).execute({ siteId: site.id, email });
  return found;
};
export const findSiteAccountById = async (db: Database, { site }: Destination, id: number) => {
  const [found] = await siteAccountById(db).execute({ siteId: site.id, id });
  return found;
};
export const findSiteAccountByUid = async (db: Database, { site }: Destination, uid: string) => {
  const [found] = await siteAccountByUid(db).execute({ siteId: site.id, uid });
  return found;
};
/** An account with everything that decides whether it may sign in to a site. */
export type SiteAccount = NonNullable<Awaited<ReturnType<typeof findSiteAccountByEmail>>>;

/** The part of it that the checks read. */
export type CheckedAccount = Pick<SiteAccount, keyof typeof checkedColumns>;

/** An account at several sites, with what the checks read. */
export const findAccountAtSites = (db: Queryable, userId: number, siteIds: readonly number[]) =>
  db
    .select({ site: sites, user: checkedColumns })
    .from(users)
    .innerJoin(sites, sql`${sites.id} = any(${sql.param(siteIds)})`)
    .leftJoin(memberships, isMembershipAtSite)
    .where(eq(users.id, userId));

export const findFailedTries = async (db: Queryable, userId: number): Promise<number> => {
  const [found] = await db.select({ failedTries }).from(users).where(eq(users.id, userId));
  return found?.failedTries ?? 0;
};

/** The account with the uid in a device cookie. */
export const findDeviceOwner = async (db: Queryable, uid: string) => {
  const [found] = await db
    .select({ uid: users.uid, email: users.email, credentialsAt: users.credentials_at })
    .from(users)
    .where(eq(users.uid, uid));
  return found;
};
export type DeviceOwner = NonNullable<Awaited<ReturnType<typeof findDeviceOwner>>>;
