import type { PersonEvent, PersonMailKind } from '@opensocial/contract';
import { and, desc, eq, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Queryable } from '../../database/connect.ts';
import { auditRecords, groups, loginLog, networks, personMails, sites } from '../../database/schema.ts';
import { mainNetworkName } from '../../identity/membership.ts';

/** Entries of the same moment are in this order. */
export const sources = ['sign_in', 'mail', 'change'] as const;
export type Source = (typeof sources)[number];

/** A position in the order by time, source and id. The time has microseconds, which a Date does not have. */
export type Position = { moment: string; source: Source; id: number };

/** Whose entries an owner of a network reads, and how many from where. */
export type TimelineQuery = {
  networkId: number;
  user: { id: number; email: string };
  /** Whether sign-ins to the console are shown: only to the home network. */
  isHome: boolean;
  /** Whether mails about the account are shown: only where the owner's decisions reach the whole account. */
  isWhole: boolean;
  after: Position | undefined;
  size: number;
};

const momentOf = (column: PgColumn) => sql<string>`(${column} at time zone 'UTC')::text || '+00'`;

/** The rows of a source that are after a position. */
const isAfter = (source: Source, time: PgColumn, id: PgColumn, after: Position | undefined): SQL | undefined => {
  if (!after) return undefined;
  const moment = sql`${after.moment}::timestamptz`;
  const distance = sources.indexOf(source) - sources.indexOf(after.source);
  if (distance === 0) return sql`(${time}, ${id}) < (${moment}, ${after.id})`;
  return distance > 0 ? sql`${time} <= ${moment}` : sql`${time} < ${moment}`;
};

const consoleSite = sql`(select ${sites.id} from ${sites} join ${networks} on ${networks.id} = ${sites.network_id}
  where ${sites.kind} = 'console' and ${networks.name} = ${mainNetworkName})`;

/** Sign-ins at sites of the network, and at the console if this is the home network. Other networks' lines are never read. */
export const findSignIns = (db: Queryable, { networkId, user, isHome, after, size }: TimelineQuery) =>
  db
    .select({
      id: loginLog.id,
      at: loginLog.login_time,
      moment: momentOf(loginLog.login_time),
      login_status: loginLog.login_status,
      reason: loginLog.reason,
      site: loginLog.site,
      ip_address: loginLog.ip_address,
      user_agent: loginLog.user_agent,
      mfa: loginLog.mfa,
      is_console: sql<boolean>`coalesce(${loginLog.site_id} = ${consoleSite}, false)`,
    })
    .from(loginLog)
    .where(
      and(
        eq(loginLog.user_id, user.id),
        isHome
          ? or(eq(loginLog.network_id, networkId), sql`${loginLog.site_id} = ${consoleSite}`)
          : eq(loginLog.network_id, networkId),
        isAfter('sign_in', loginLog.login_time, loginLog.id, after),
      ),
    )
    .orderBy(desc(loginLog.login_time), desc(loginLog.id))
    .limit(size);

export const findMails = (db: Queryable, { networkId, user, isWhole, after, size }: TimelineQuery) =>
  db
    .select({
      id: personMails.id,
      at: personMails.created_at,
      moment: momentOf(personMails.created_at),
      mail: personMails.kind,
      outcome: personMails.outcome,
      link: sql<'none' | 'open' | 'used' | 'ended'>`case
        when ${personMails.link_expires_at} is null then 'none'
        when ${personMails.link_used_at} is not null then 'used'
        when ${personMails.link_ended_at} is not null or ${personMails.link_expires_at} <= now() then 'ended'
        else 'open' end`,
      link_used_at: personMails.link_used_at,
    })
    .from(personMails)
    .where(
      and(
        eq(personMails.network_id, networkId),
        eq(personMails.email, user.email),
        isWhole ? undefined : eq(personMails.is_personal, false),
        isAfter('mail', personMails.created_at, personMails.id, after),
      ),
    )
    .orderBy(desc(personMails.created_at), desc(personMails.id))
    .limit(size);
export type MailRow = { mail: PersonMailKind } & Awaited<ReturnType<typeof findMails>>[number];

/** The expression of the index `audit_records__person`. */
const person = sql`audit_person(${auditRecords.description}, ${auditRecords.actor_id}, ${auditRecords.old_data}, ${auditRecords.new_data}, ${auditRecords.claimed_user})`;

const data = (key: string): SQL =>
  sql`coalesce(${auditRecords.new_data} ->> ${key}, ${auditRecords.old_data} ->> ${key})`;
const says = (pattern: string): SQL => sql`${auditRecords.description} ~ ${pattern}`;
const now = (key: string): SQL => sql`${auditRecords.new_data} ->> ${key}`;

/** What a record says, in the order in which the conditions are tried. */
const events: readonly (readonly [PersonEvent, SQL])[] = [
  ['own_name', says('^\\w+ own name$')],
  ['own_address', says('^\\w+ own address$')],
  ['own_password', says('^\\w+ own password$')],
  ['own_authenticator', says('^\\w+ own authenticator$')],
  ['own_recovery_codes', says('^\\w+ own recovery codes$')],
  ['own_email_codes', says('^\\w+ own email MFA$')],
  ['own_passkeys', says('^\\w+ own passkeys$')],
  ['own_login', says('^\\w+ own linked login$')],
  ['group_added', says('^create user of a group$')],
  ['group_removed', says('^delete user of a group$')],
  ['group_added', says('^create user .* in groups$')],
  ['visit_removed', says('^delete visit of a user')],
  ['owner_added', says('^create owner$')],
  ['owner_removed', says('^delete owner$')],
  ['invited_again', says('^update invitation of [^ ]+$')],
  ['link_copied', says('^view invitation of [^ ]+$')],
  ['signed_out', says('^delete user [^ ]+ sessions$')],
  ['factors_reset', says('^delete user [^ ]+ second factors$')],
  ['reset_sent', says('^update user [^ ]+ password link$')],
  ['desktop_viewed', says('^view user [^ ]+ desktop$')],
  ['recovered', says('^update user [^ ]+ recovery$')],
  ['restored', says('^restore user [^ ]+$')],
  ['deleted', says('^delete user [^ ]+ from the trash$')],
  ['accepted', sql`${now('decision')} = 'accepted the invitation'`],
  ['declined', sql`${now('decision')} = 'declined the invitation'`],
  ['left', sql`${now('decision')} = 'left the network'`],
  ['unlocked', sql`${now('unlocked')} = 'true'`],
  ['enabled', sql`${now('user_mode')} = 'Active'`],
  ['disabled', sql`${now('user_mode')} = 'Disable'`],
  ['confirmed', sql`${now('status')} = 'Confirmed'`],
  ['unconfirmed', sql`${now('status')} = 'NonConfirmed'`],
  ['never_disable', sql`${now('bypass_inactivity')} = 'true'`],
  ['may_disable', sql`${now('bypass_inactivity')} = 'false'`],
  ['renamed', sql`${now('firstname')} is not null`],
  ['invited', says('^create user [^ ]+$')],
  ['removed', says('^delete user [^ ]+$')],
];

const event = sql<PersonEvent>`case ${sql.join(
  events.map(([name, condition]) => sql`when ${condition} then ${name}::text`),
  sql` `,
)} else 'changed' end`;

/** How the person can sign in. Everything else is an ordinary change. */
const isSecurity = sql<boolean>`(${says('^\\w+ own (address|password|authenticator|recovery codes|email MFA|passkeys|linked login)$')}
  or ${says('^delete user [^ ]+ (sessions|second factors)$')} or ${says('^update user [^ ]+ password link$')}
  or coalesce(${now('unlocked')}, '') = 'true')`;

/** The names of group or site, as they were recorded or as they are now, or the new name. */
const detail = sql<string>`coalesce(
  ${data('group')}, ${data('site')},
  (select ${groups.name} from ${groups} where ${groups.id} = (${data('group_id')})::bigint and ${groups.network_id} = ${auditRecords.network_id}),
  (select coalesce(nullif(btrim(${sites.site_name}), ''), ${sites.domain}) from ${sites} where ${sites.id} = (${data('site_id')})::bigint and ${sites.network_id} = ${auditRecords.network_id}),
  case when jsonb_typeof(${auditRecords.new_data} -> 'groups') = 'array'
    then (select string_agg(name, ', ') from jsonb_array_elements_text(${auditRecords.new_data} -> 'groups') as name) end,
  btrim(${now('firstname')} || ' ' || coalesce(${now('lastname')}, '')), '')`;

/** The records about one key of a person, in the order of the index. */
const recordsAbout = (
  db: Queryable,
  key: string,
  { networkId, after, size, security }: TimelineQuery & { security: boolean | undefined },
) =>
  db
    .select({
      id: auditRecords.id,
      at: auditRecords.created_at,
      moment: momentOf(auditRecords.created_at),
      is_security: isSecurity,
      event,
      detail,
      actor: auditRecords.actor,
      actor_id: auditRecords.actor_id,
    })
    .from(auditRecords)
    .where(
      and(
        eq(auditRecords.network_id, networkId),
        sql`${person} = ${key}`,
        security === undefined ? undefined : sql`${isSecurity} = ${security}`,
        isAfter('change', auditRecords.created_at, auditRecords.id, after),
      ),
    )
    .orderBy(desc(auditRecords.created_at), desc(auditRecords.id))
    .limit(size);

/** Records name a person by address or by id. Each has its own range of the index. */
export const findChanges = async (db: Queryable, query: TimelineQuery & { security: boolean | undefined }) =>
  (await Promise.all([recordsAbout(db, query.user.email, query), recordsAbout(db, `#${query.user.id}`, query)])).flat();
