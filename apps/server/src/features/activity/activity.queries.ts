import type { LoginStatus } from '@opensocial/contract';
import { and, between, eq, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../database/connect.ts';
import { withinDays } from '../../database/days.ts';
import { patternOf, readPage } from '../../database/paging.ts';
import { loginLog, loginLogDays, loginLogNames } from '../../database/schema.ts';

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

const isNumber = (site: string): boolean => /^\d{1,15}$/.test(site);
const isAddress = (keyword: string): boolean =>
  /^\d{1,3}(\.\d{0,3}){1,3}$/.test(keyword) || /^[\da-f]{0,4}(:[\da-f]{0,4})+$/.test(keyword);

type Kind = (typeof loginLogNames.$inferSelect)['kind'];

/** What is looked for in one of the columns by which the log's names are known. */
type Sought = { kind: Kind; pattern: string };

/** As the indexes have them. */
const columns: Record<Kind, SQL> = {
  email: sql`lower(${loginLog.email}) collate "C"`,
  site: sql`lower(${loginLog.site}) collate "C"`,
  address: sql`host(${loginLog.ip_address}) collate "C"`,
};

/** The beginning of an address looks like one; other words are looked for in whatever tells the lines of a list apart. */
const seek = ({ keyword, site, userId }: LinesAsked): Sought[] => {
  const sought: Sought[] = [];
  if (site !== undefined && !isNumber(site)) sought.push({ kind: 'site', pattern: patternOf(site.toLowerCase()) });
  if (keyword === undefined) return sought;
  const word = keyword.toLowerCase();
  const kind = userId === undefined ? 'email' : 'site';
  return [...sought, isAddress(word) ? { kind: 'address', pattern: `${word}%` } : { kind, pattern: patternOf(word) }];
};

/** So few lines are read by their names and sorted; of more, the newest are soon found among all. */
const few = 20_000;

/** What is sought, as a condition on the lines, and how many lines of the network that is. */
const look = async (db: Queryable, networkId: number, { kind, pattern }: Sought) => {
  const found = and(
    eq(loginLogNames.network_id, networkId),
    eq(loginLogNames.kind, kind),
    sql`${loginLogNames.name} like ${pattern}`,
  );
  const [counted] = await db
    .select({
      Success: sql`coalesce(sum(${loginLogNames.succeeded}), 0)`.mapWith(Number),
      Failed: sql`coalesce(sum(${loginLogNames.failed}), 0)`.mapWith(Number),
    })
    .from(loginLogNames)
    .where(found);
  const lines = counted ?? { Success: 0, Failed: 0 };
  const column = columns[kind];
  if (lines.Success + lines.Failed > few) return { lines, condition: sql`${column} like ${pattern}` };
  const names = await db.select({ name: loginLogNames.name }).from(loginLogNames).where(found);
  return { lines, condition: sql`${column} = any(${sql.param(names.map(({ name }) => name))})` };
};

const sumOf = (lines: Record<LoginStatus, number>, status: LoginStatus | undefined): number =>
  status ? lines[status] : lines.Success + lines.Failed;

/** The sum of the days' counters: the log itself may have ten million lines. */
const countDays = async (
  db: Queryable,
  networkId: number,
  status: LoginStatus | undefined,
  range: string | undefined,
): Promise<number> => {
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

export const readLines = async (db: Queryable, asked: LinesAsked) => {
  const { networkId, userId, status, site, range, lastId, size } = asked;
  const isOfSite = site !== undefined && isNumber(site);
  const sought = seek(asked);
  /** Whole lists of a network are counted as they grow; a user's and a site's own are short enough to be counted now. */
  const isCounted = networkId !== undefined && userId === undefined && !isOfSite;
  const looked = isCounted ? await Promise.all(sought.map((each) => look(db, networkId, each))) : undefined;
  const [only, ...others] = looked ?? [];
  const count = () => {
    if (!isCounted || others.length > 0) return undefined;
    if (!only) return countDays(db, networkId, status, range);
    return range === undefined ? Promise.resolve(sumOf(only.lines, status)) : undefined;
  };
  const conditions =
    looked?.map(({ condition }) => condition) ??
    sought.map(({ kind, pattern }) => sql`${columns[kind]} like ${pattern}`);
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
      scope:
        and(
          networkId === undefined ? undefined : eq(loginLog.network_id, networkId),
          userId === undefined ? undefined : eq(loginLog.user_id, userId),
        ) ?? sql`false`,
      match: and(
        status && eq(loginLog.login_status, status),
        isOfSite ? eq(loginLog.site_id, Number(site)) : undefined,
        withinDays(loginLog.login_time, range),
        ...conditions,
      ),
      count,
      lastId,
      size,
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
