import type { LoginStatus } from '@opensocial/contract';
import { and, asc, between, desc, eq, gt, or, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../database/connect.ts';
import { withinDays } from '../../database/days.ts';
import { contains, readPage } from '../../database/paging.ts';
import { identitySessions, loginLog, loginLogDays, memberships, sites, users } from '../../database/schema.ts';
import { ageLimit, idleLimit } from '../session/session.service.ts';

/** Whose lines. */
export type Scope = {
  networkId?: number | undefined;
  /** Only this user's own. */
  userId?: number | undefined;
};

/** Which of them. */
export type Match = {
  status?: LoginStatus | undefined;
  site?: string | undefined;
  range?: string | undefined;
  keyword?: string | undefined;
};

type LinesAsked = Scope & Match & { lastId: number; size: number };

const line = {
  id: loginLog.id,
  login_status: loginLog.login_status,
  email: loginLog.email,
  site: loginLog.site,
  ip_address: loginLog.ip_address,
  login_time: loginLog.login_time,
  reason: loginLog.reason,
};

/** Nobody's are none: a question that names neither is a mistake. */
const within = ({ networkId, userId }: Scope): SQL =>
  and(
    networkId === undefined ? undefined : eq(loginLog.network_id, networkId),
    userId === undefined ? undefined : eq(loginLog.user_id, userId),
  ) ?? sql`false`;

const matching = ({ status, site, range, keyword }: Match): SQL | undefined =>
  and(
    status && eq(loginLog.login_status, status),
    atSite(site),
    withinDays(loginLog.login_time, range),
    matchesKeyword(keyword),
  );

/** A number is one site's id, other text a part of the domain. */
const atSite = (site: string | undefined): SQL | undefined =>
  site !== undefined && /^\d{1,15}$/.test(site) ? eq(loginLog.site_id, Number(site)) : contains(loginLog.site, site);

/** The sum of the days' counters: the log itself may have ten million lines. */
const countLines = async (
  db: Queryable,
  networkId: number,
  status: LoginStatus | undefined,
  range: string | undefined,
) => {
  const [found] = await db
    .select({ lines: sql`coalesce(sum(${loginLogDays.lines}), 0)`.mapWith(Number) })
    .from(loginLogDays)
    .where(
      and(
        eq(loginLogDays.network_id, networkId),
        status && eq(loginLogDays.login_status, status),
        range === undefined ? undefined : between(loginLogDays.day, ...(range.split(',') as [string, string])),
      ),
    );
  return found?.lines ?? 0;
};

const matchesKeyword = (keyword: string | undefined): SQL | undefined =>
  keyword === undefined
    ? undefined
    : or(
        contains(loginLog.email, keyword),
        contains(loginLog.site, keyword),
        sql`host(${loginLog.ip_address}) like ${`${keyword.replaceAll(/[%_\\]/g, String.raw`\$&`)}%`}`,
      );

export const readLines = (db: Queryable, { lastId, size, ...asked }: LinesAsked) => {
  const { networkId, userId, status, site, range, keyword } = asked;
  const isCounted = userId === undefined && site === undefined && keyword === undefined;
  return readPage(db, loginLog, line, {
    order: { by: loginLog.login_time, id: loginLog.id, newestFirst: true },
    scope: within(asked),
    match: matching(asked),
    count: networkId !== undefined && isCounted ? () => countLines(db, networkId, status, range) : undefined,
    lastId,
    size,
  });
};

/** Where a file has come to: the moment to its last digit, which a Date has not. */
export type Place = { moment: string; id: number };

/** The next lines for a file, with what the list leaves to the panel of a line. */
export const findLinesAfter = (db: Queryable, asked: Scope & Match, after: Place | undefined, size: number) =>
  db
    .select({
      ...line,
      mfa: loginLog.mfa,
      user_agent: loginLog.user_agent,
      moment: sql<string>`${loginLog.login_time}::text`,
    })
    .from(loginLog)
    .where(
      and(
        within(asked),
        matching(asked),
        after && sql`(${loginLog.login_time}, ${loginLog.id}) < (${after.moment}::timestamptz, ${after.id})`,
      ),
    )
    .orderBy(desc(loginLog.login_time), desc(loginLog.id))
    .limit(size);

/** Those of some lines that are asked for, oldest first. They are new: only the newest months are looked into. */
export const findLinesAmong = (db: Queryable, asked: Scope & Match, ids: readonly number[]) =>
  db
    .select(line)
    .from(loginLog)
    .where(
      and(
        sql`${loginLog.id} = any(${sql.param(ids)}::bigint[])`,
        sql`${loginLog.login_time} > now() - interval '1 hour'`,
        within(asked),
        matching(asked),
      ),
    )
    .orderBy(asc(loginLog.login_time), asc(loginLog.id));

/** A line with what it led to, as far as that is still there. The console is a site that nobody opens a panel of. */
export const findLine = async (db: Queryable, scope: Scope, id: number) => {
  const isOpen = and(gt(identitySessions.last_seen_at, idleLimit), gt(identitySessions.authenticated_at, ageLimit));
  const [found] = await db
    .select({
      ...line,
      user_agent: loginLog.user_agent,
      mfa: loginLog.mfa,
      session_id: loginLog.session_id,
      session_index: identitySessions.session_index,
      site_id: sites.id,
      user_id: memberships.user_id,
      fullname: users.fullname,
    })
    .from(loginLog)
    .leftJoin(
      sites,
      and(eq(sites.id, loginLog.site_id), eq(sites.network_id, loginLog.network_id), eq(sites.kind, 'site')),
    )
    .leftJoin(users, eq(users.id, loginLog.user_id))
    .leftJoin(
      memberships,
      and(eq(memberships.user_id, loginLog.user_id), eq(memberships.network_id, loginLog.network_id)),
    )
    .leftJoin(
      identitySessions,
      and(eq(identitySessions.id, loginLog.session_id), eq(identitySessions.user_id, loginLog.user_id), isOpen),
    )
    .where(and(eq(loginLog.id, id), within(scope)));
  return found;
};

type Line = Awaited<ReturnType<typeof readLines>>['rows'][number];

export const presentLine = <L extends Pick<Line, 'email' | 'login_time'>>({ email, login_time, ...rest }: L) => {
  const time = login_time.toISOString();
  return { ...rest, email: email ?? '', login_time: time, last_login: time };
};

export const presentLines = ({ rows, total }: Awaited<ReturnType<typeof readLines>>) => ({
  logs: rows.map(presentLine),
  all_logs: total,
});
