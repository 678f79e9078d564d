import type { LoginStatus } from '@opensocial/contract';
import { and, eq, or, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../database/connect.ts';
import { withinDays } from '../../database/days.ts';
import { contains, readPage } from '../../database/paging.ts';
import { loginLog } from '../../database/schema.ts';

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

export const readLines = (db: Queryable, { networkId, userId, status, site, range, keyword, ...page }: LinesAsked) => {
  const ofNetwork = networkId === undefined ? undefined : eq(loginLog.network_id, networkId);
  const ofUser = userId === undefined ? undefined : eq(loginLog.user_id, userId);
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
      order: { by: loginLog.id, id: loginLog.id, newestFirst: true },
      scope: and(ofNetwork, ofUser) ?? sql`false`,
      match: and(
        status && eq(loginLog.login_status, status),
        atSite(site),
        withinDays(loginLog.login_time, range),
        or(
          contains(loginLog.email, keyword),
          contains(loginLog.site, keyword),
          keyword === undefined
            ? undefined
            : sql`host(${loginLog.ip_address}) like ${`${keyword.replaceAll(/[%_\\]/g, String.raw`\$&`)}%`}`,
        ),
      ),
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
