import type { Database } from '../database/connect.ts';
import { createGroupWriter } from '../database/group-writer.ts';

/** A successful or failed attempt to sign in to a site. It becomes a line in the login log and counts as a visit to the site. */
type LoginAttempt = {
  /** The id of the line, from `nextLineId`, if the caller needs it. */
  id?: number | undefined;
  status: 'Success' | 'Failed';
  address: string;
  userAgent: string;
  site: { id: number; network_id: number; domain: string; kind: 'site' | 'console' };
  user: { id: number } | undefined;
  email: string | undefined;
  reason: string;
  mfa: string | null;
  /** The session that the site gets an assertion for, and the NameID in it. A single logout needs both. */
  assertion?: { sessionId: number; nameId: { value: string; format: string } };
};

export type RecordLoginAttempt = (attempt: LoginAttempt) => Promise<void>;

/**
 * Writes a batch of attempts with one statement, whether they succeeded or failed. It is on the path of every single sign-on, and the
 * time it takes must not disclose whether an account exists. Rows that were updated within the last minute are left unchanged. Rows are
 * locked in the order of their ids, so that two servers cannot deadlock. The attempts are an array from a subquery, because the planner
 * then always expects ten rows: with `json_to_recordset` it would expect a hundred and read all sessions, and with a parameter it would
 * plan anew for each length. Memberships that another transaction changes are skipped, because it may wait for rows that are locked here.
 */
const statement = `
  with given as (
    select given.* from unnest((select $1::json[])) as attempt, json_to_record(attempt) as given (id bigint, status text, network_id bigint,
      site_id bigint, site text, user_id bigint, email text, reason text, ip_address inet, user_agent text, mfa text,
      session_id bigint, name_id text, name_id_format text, console boolean)
  ), seen as (
    update identity_sessions set last_seen_at = now() where id = any (array(
      select id from identity_sessions where id in (select session_id from given)
        and last_seen_at < now() - interval '1 minute' order by id for no key update))
  ), known as (
    update users set last_login_at = now() where id = any (array(
      select id from users where id in (select user_id from given where status = 'Success')
        and (last_login_at is null or last_login_at < now() - interval '1 minute') order by id for no key update))
  ), joined as (
    update memberships set last_login_at = now() from (
      select network_id, user_id from memberships where (network_id, user_id) in (
        select network_id, user_id from given where status = 'Success'
        union select users.home_network_id, users.id from given join users on users.id = given.user_id where given.status = 'Success' and console)
      and (last_login_at is null or last_login_at < now() - interval '1 minute')
      order by network_id, user_id for no key update skip locked) as member
    where memberships.network_id = member.network_id and memberships.user_id = member.user_id
  ), asserted as (
    insert into identity_session_sites as former (session_id, site_id, name_id, name_id_format)
    select distinct on (session_id, site_id) session_id, site_id, name_id, name_id_format from given
    where session_id is not null and not exists (
      select 1 from identity_session_sites as same where same.session_id = given.session_id and same.site_id = given.site_id
        and same.name_id = given.name_id and same.name_id_format = given.name_id_format)
    order by session_id, site_id
    on conflict (session_id, site_id) do update set name_id = excluded.name_id, name_id_format = excluded.name_id_format
  ), visited as (
    insert into site_visits (user_id, site_id)
    select distinct user_id, site_id from given
    where user_id is not null and not exists (
      select 1 from site_visits as former where former.user_id = given.user_id and former.site_id = given.site_id
        and former.last_at > now() - interval '1 minute')
    order by user_id, site_id
    on conflict (user_id, site_id) do update set last_at = now()
  )
  insert into login_log (id, network_id, site_id, user_id, email, site, login_status, reason, ip_address, user_agent, mfa, session_id)
  select coalesce(id, nextval('login_log__id')), network_id, site_id, user_id, email, site, status, reason, ip_address, user_agent, mfa, session_id from given`;

const toRow = ({ site, user, assertion, address, userAgent, ...line }: LoginAttempt) => ({
  ...line,
  network_id: site.network_id,
  site_id: site.id,
  site: site.domain,
  console: site.kind === 'console',
  user_id: user?.id,
  ip_address: address,
  user_agent: userAgent,
  session_id: assertion?.sessionId,
  name_id: assertion?.nameId.value,
  name_id_format: assertion?.nameId.format,
});

const counts = (['Success', 'Failed'] as const).flatMap((status) =>
  (['site', 'console'] as const).map((kind) => ({ status, kind, count: 0 })),
);

/** For the metrics: the attempts that this process has recorded. */
export const readAttemptCounts = (): readonly Readonly<(typeof counts)[number]>[] => counts;

const countAttempt = ({ status, site }: LoginAttempt): void => {
  const counted = counts.find((each) => each.status === status && each.kind === site.kind);
  if (counted) counted.count += 1;
};

/** An id for a line that is not written yet. */
export const nextLineId = async ({ $client }: Database): Promise<number> => {
  const { rows } = await $client.query<{ id: string }>(`select nextval('login_log__id') as id`);
  return Number(rows[0]?.id);
};

/** The promise of a recorded attempt is fulfilled once its transaction is committed. */
export const createAttemptRecorder = ({ $client }: Database): RecordLoginAttempt =>
  createGroupWriter(async (attempts) => {
    await $client.query({
      name: 'record_attempts',
      text: statement,
      values: [attempts.map((attempt) => JSON.stringify(toRow(attempt)))],
    });
    attempts.forEach(countAttempt);
  });
