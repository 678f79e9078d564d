import type { LoginStatus } from '@opensocial/contract';
import { and, between, eq, or, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../database/connect.ts';
import { withinDays } from '../../database/days.ts';
import { contains, readPage } from '../../database/paging.ts';
import { loginLog, loginLogDays } from '../../database/schema.ts';

export type LinesAsked = {
  networkId?: number | undefined;
  /** Only this user's own. */
  userId?: number | undefined;
  status?: LoginStatus | undefined;
  site?: string | undefined;
  range?: string | undefined;
  keyword?: string | undefined;
  lastId: number;
  size: number;
};

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

export const readLines = (db: Queryable, { networkId, userId, status, site, range, keyword, ...page }: LinesAsked) => {
  const ofNetwork = networkId === undefined ? undefined : eq(loginLog.network_id, networkId);
  const ofUser = userId === undefined ? undefined : eq(loginLog.user_id, userId);
  const isCounted = userId === undefined && site === undefined && keyword === undefined;
  return readPage(
    db,
    loginLog,
    {
      id: loginLog.id,
      login_status: loginLog.login_status,
      email: loginLog.email,
      site: loginLog.site,
      ip_address: loginLog.ip_address,
      login_time: loginLog.login_time,
      reason: loginLog.reason,
    },
    {
      order: { by: loginLog.login_time, id: loginLog.id, newestFirst: true },
      scope: and(ofNetwork, ofUser) ?? sql`false`,
      match: and(
        status && eq(loginLog.login_status, status),
        atSite(site),
        withinDays(loginLog.login_time, range),
        matchesKeyword(keyword),
      ),
      count: networkId !== undefined && isCounted ? () => countLines(db, networkId, status, range) : undefined,
      ...page,
    },
  );
};

export const presentLines = ({ rows, total }: Awaited<ReturnType<typeof readLines>>) => ({
  logs: rows.map(({ email, login_time, ...line }) => {
    const time = login_time.toISOString();
    return { ...line, email: email ?? '', login_time: time, last_login: time };
  }),
  all_logs: total,
});
