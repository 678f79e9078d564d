import { type Counting, ErrorReference, type LoginStatus } from '@opensocial/contract';
import { and, asc, count, desc, eq, gt, gte, inArray, lt, lte, max, min, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../database/connect.ts';
import { type Period, splitIntoDays, toTimestamp, withinPeriod } from '../../database/days.ts';
import {
  assertCursor,
  containsFolded,
  countingLimit,
  countRows,
  exactly,
  maximumSortedMatches,
  patternOf,
  readPage,
  type Total,
} from '../../database/paging.ts';
import {
  errorReferences,
  identitySessions,
  loginLog,
  loginLogDays,
  loginLogNames,
  memberships,
  sites,
  users,
} from '../../database/schema.ts';
import { ageLimit, idleLimit } from '../../identity/session-limits.ts';

/** Which lines the caller may see. */
export type Scope = {
  networkId?: number | undefined;
  /** Only the lines of this user. */
  userId?: number | undefined;
};

/** Which of these lines are requested. */
export type Match = {
  status?: LoginStatus | undefined;
  site?: string | undefined;
  period?: Period | undefined;
  /** The reason of failures, without the code after its colon. */
  reason?: string | undefined;
  keyword?: string | undefined;
};

type LinesQuery = Scope & Match & { counting?: Counting; lastId: number; size: number };

const line = {
  id: loginLog.id,
  login_status: loginLog.login_status,
  email: loginLog.email,
  site: loginLog.site,
  ip_address: loginLog.ip_address,
  login_time: loginLog.login_time,
  reason: loginLog.reason,
};

/** A query without a network and a user is a bug and finds nothing. */
const within = ({ networkId, userId }: Scope): SQL =>
  and(
    networkId === undefined ? undefined : eq(loginLog.network_id, networkId),
    userId === undefined ? undefined : eq(loginLog.user_id, userId),
  ) ?? sql`false`;

const filtering = ({ status, site, period, reason }: Match): SQL | undefined =>
  and(
    status && eq(loginLog.login_status, status),
    isSiteId(site) ? eq(loginLog.site_id, Number(site)) : undefined,
    withinPeriod(loginLog.login_time, period),
    reason === undefined ? undefined : isFailedFor(reason),
  );

/** The expression and the condition of the index `login_log__failure_reason`, as constants for the planner. */
const isFailedFor = (reason: string): SQL =>
  sql`(${loginLog.login_status} = 'Failed' and split_part(${loginLog.reason}, ':', 1) = ${reason})`;

/** A number is the id of a site; other text is a part of the domain. */
const isSiteId = (site: string | undefined): boolean => site !== undefined && /^\d{1,15}$/.test(site);
const isAddress = (keyword: string): boolean =>
  /^\d{1,3}(\.\d{0,3}){1,3}$/.test(keyword) || /^[\da-f]{0,4}(:[\da-f]{0,4})+$/.test(keyword);

type Kind = (typeof loginLogNames.$inferSelect)['kind'];

/** A word to search for in one column, and in the column `otherwise` if no name in the first one matches. */
type SearchTerm = { kind: Kind; word: string; otherwise?: Kind };

/** IP addresses are matched by their beginning. */
const patternIn = (kind: Kind, word: string): string => (kind === 'address' ? `${word}%` : patternOf(word));

/** The expressions of the indexes. */
const columns: Record<Kind, SQL> = {
  email: sql`lower(${loginLog.email}) collate "C"`,
  site: sql`lower(${loginLog.site}) collate "C"`,
  address: sql`host(${loginLog.ip_address}) collate "C"`,
};

/**
 * Decides where a keyword is searched. If it looks like the beginning of an IP address, in the addresses. Other words
 * are searched in the column that varies within the list: the emails, or the sites if no email matches; within the
 * lines of one user the sites, within those of one site the emails.
 */
const searchTerms = ({ keyword, site, userId }: Scope & Match): SearchTerm[] => {
  const term: SearchTerm[] = [];
  if (site !== undefined && !isSiteId(site)) term.push({ kind: 'site', word: site.toLowerCase() });
  if (keyword === undefined) return term;
  const word = keyword.toLowerCase();
  if (isAddress(word)) return [...term, { kind: 'address', word }];
  if (userId !== undefined) return [...term, { kind: 'site', word }];
  return [...term, { kind: 'email', word, ...(site === undefined && { otherwise: 'site' }) }];
};

const hasName = (networkId: number, { kind, word }: SearchTerm): SQL | undefined => {
  const { name, spread } = loginLogNames;
  const holds =
    kind === 'address' ? sql`${name} like ${patternIn(kind, word)}` : containsFolded({ searched: name, spread }, word);
  return and(eq(loginLogNames.network_id, networkId), eq(loginLogNames.kind, kind), holds);
};

/**
 * The result of looking up a word in the names of a network: the number of lines and whether there are more, a condition on lines, whether it
 * lists the names, and a condition on the names of sites.
 */
type NameMatch = {
  lines: Record<LoginStatus, number>;
  isMinimum: boolean;
  condition: SQL;
  isListed: boolean;
  siteNames: SQL | undefined;
};

/**
 * Up to this many names with this many lines are listed in the condition, so that the index finds their lines. If there are more, the newest
 * are found quickly by scanning all lines.
 */
const maximumListedNames = 5_000;
const maximumListedLines = 100_000;

/** The complete total adds up the counters of this many names. */
const maximumAddedNames = 200_000;

const addUp = async (db: Queryable, match: SQL | undefined, limit: number) => {
  const { name, succeeded, failed } = loginLogNames;
  const names = db
    .select({ name, succeeded, failed })
    .from(loginLogNames)
    .where(match)
    .limit(limit + 1)
    .as('names');
  const [sums] = await db
    .select({
      found: count(),
      Success: sql`coalesce(sum(${names.succeeded}), 0)`.mapWith(Number),
      Failed: sql`coalesce(sum(${names.failed}), 0)`.mapWith(Number),
      // The names themselves are only sent if all of them fit into a condition.
      listed: sql<
        string[] | null
      >`case when count(*) <= ${maximumListedNames} then coalesce(array_agg(${names.name}), '{}') end`,
    })
    .from(names);
  return sums ?? { found: 0, Success: 0, Failed: 0, listed: [] };
};

const lookUp = async (db: Queryable, networkId: number, term: SearchTerm, counting: Counting): Promise<NameMatch> => {
  const { kind, word, otherwise } = term;
  const found = hasName(networkId, term);
  const limit = counting === 'quick' ? maximumListedNames : maximumAddedNames;
  const { found: names, listed, ...lines } = await addUp(db, found, limit);
  if (otherwise && lines.Success + lines.Failed === 0)
    return lookUp(db, networkId, { kind: otherwise, word }, counting);
  const column = columns[kind];
  const isListed = listed !== null && lines.Success + lines.Failed <= maximumListedLines;
  return {
    lines,
    isMinimum: names > limit,
    isListed,
    // As a subquery, because PostgreSQL would otherwise compare thousands of names with its statistics of each month.
    condition: isListed
      ? sql`${column} = any((select ${sql.param(listed)}::text[])::text[])`
      : sql`${column} like ${patternIn(kind, word)}`,
    siteNames: kind === 'site' ? found : undefined,
  };
};

const sumOf = (lines: Record<LoginStatus, number>, status: LoginStatus | undefined): number =>
  status ? lines[status] : lines.Success + lines.Failed;

/** Sums the counters per day, because the log may have ten million lines. */
const countDays = async (
  db: Queryable,
  networkId: number,
  status: LoginStatus | undefined,
  days?: Period,
): Promise<number> => {
  const dayOf = (moment: Date) => sql`(${toTimestamp(moment)} at time zone 'UTC')::date`;
  const [found] = await db
    .select({ lines: sql`coalesce(sum(${loginLogDays.lines}), 0)`.mapWith(Number) })
    .from(loginLogDays)
    .where(
      and(
        eq(loginLogDays.network_id, networkId),
        status && eq(loginLogDays.login_status, status),
        days && sql`${loginLogDays.day} >= ${dayOf(days.start)} and ${loginLogDays.day} < ${dayOf(days.end)}`,
      ),
    );
  return found?.lines ?? 0;
};

/**
 * Counts the lines of a network. The counters are for days in UTC. A day in another time zone begins and ends within such days, and the
 * lines of these parts of days are counted in the log.
 */
const countLines = async (
  db: Queryable,
  networkId: number,
  status: LoginStatus | undefined,
  period: Period | undefined,
): Promise<number> => {
  if (!period) return countDays(db, networkId, status);
  const { before, days, after } = splitIntoDays(period);
  const countPart = (part: Period) =>
    part.start < part.end ? db.$count(loginLog, and(within({ networkId }), filtering({ status, period: part }))) : 0;
  const counts = await Promise.all([countDays(db, networkId, status, days), countPart(before), countPart(after)]);
  return counts.reduce((sum, lines) => sum + lines, 0);
};

/** The complete search condition, evaluated line by line. */
const matching = (query: Scope & Match): SQL | undefined =>
  and(
    filtering(query),
    ...searchTerms(query).map((term) => {
      const { kind, word, otherwise } = term;
      const holds = sql`${columns[kind]} like ${patternIn(kind, word)}`;
      if (!otherwise || query.networkId === undefined) return holds;
      return sql`(${holds} or ${columns[otherwise]} like ${patternIn(otherwise, word)}
        and not exists (select 1 from ${loginLogNames} where ${hasName(query.networkId, term)}))`;
    }),
  );

const findReferencedLines = async (db: Queryable, networkId: number, reference: string): Promise<number[]> => {
  const found = await db
    .select({ id: errorReferences.line_id })
    .from(errorReferences)
    .where(and(eq(errorReferences.network_id, networkId), eq(errorReferences.reference, reference)));
  return found.flatMap(({ id }) => id ?? []);
};

/** A total that is only known to be a minimum is rounded down to a number that is easy to read. */
const atLeast = (total: number, limit: number): Total => ({
  total: Math.min(limit, total - (total % 1_000)),
  total_is_minimum: true,
});

type OptimisedMatch = {
  match: SQL | undefined;
  /** Returns the total, if the counters tell. */
  total?: () => Promise<Total>;
  /** Whether the index of the names finds the lines of a period quickly. */
  isListed?: boolean;
  siteNames?: SQL | undefined;
};

/** The same condition, but optimised with the counters of names; with the total if the counters are exact for it. */
const optimiseMatch = async (db: Queryable, query: Scope & Match, counting?: Counting): Promise<OptimisedMatch> => {
  const { networkId, userId, status, period } = query;
  const reference = ErrorReference.safeParse(query.keyword).data;
  // Only owners find lines by the number of an error page. Everybody else sees their own lines, and searches their sites.
  if (reference !== undefined && networkId !== undefined && userId === undefined) {
    const { keyword: _keyword, ...others } = query;
    const ids = await findReferencedLines(db, networkId, reference);
    return { match: and(matching(others), inArray(loginLog.id, ids)) };
  }
  /** The lines of one user or one site are few enough to scan. */
  if (networkId === undefined || userId !== undefined || isSiteId(query.site)) return { match: matching(query) };
  const lookups = await Promise.all(searchTerms(query).map((each) => lookUp(db, networkId, each, counting)));
  const match = and(filtering(query), ...lookups.map(({ condition }) => condition));
  const siteNames = and(...lookups.map((each) => each.siteNames));
  const isListed = lookups.some((each) => each.isListed);
  const [only, ...others] = lookups;
  // There are no counters of reasons by day.
  if (query.reason !== undefined) return { match, isListed, siteNames };
  if (!only) return { match, siteNames, total: async () => exactly(await countLines(db, networkId, status, period)) };
  const isKnown = others.length === 0 && period === undefined;
  if (!isKnown) return { match, isListed, siteNames };
  const sum = sumOf(only.lines, status);
  return {
    match,
    isListed,
    siteNames,
    total: async () => (only.isMinimum ? atLeast(sum, countingLimit(counting)) : exactly(sum)),
  };
};

/** The beginning of the month in UTC that is so many months before that of a date. Partitions of the log are such months. */
const monthBefore = (date: Date, months: number): Date =>
  new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months));

/** Periods from the newest line on, or from the line of the cursor: a month at first, then each twice as long as the one before. */
const findPeriods = async (db: Queryable, scope: SQL, lastId: number): Promise<SQL[]> => {
  const { login_time: time } = loginLog;
  const [found] = await db
    .select({ oldest: min(time), newest: max(time) })
    .from(loginLog)
    .where(
      and(
        scope,
        lastId === 0 ? undefined : lte(time, db.select({ time }).from(loginLog).where(eq(loginLog.id, lastId))),
      ),
    );
  const { oldest, newest } = found ?? {};
  if (!oldest || !newest) return [];
  const periods = [gte(time, monthBefore(newest, 0))];
  for (let months = 0, length = 1; monthBefore(newest, months) > oldest; months += length, length *= 2)
    periods.push(
      sql`(${gte(time, monthBefore(newest, months + length))} and ${lt(time, monthBefore(newest, months))})`,
    );
  return periods;
};

export const readLines = async (db: Queryable, { counting, lastId, size, ...query }: LinesQuery) => {
  const { match, total, isListed } = await optimiseMatch(db, query, counting);
  const scope = within(query);
  return readPage(db, loginLog, line, {
    order: { by: loginLog.login_time, id: loginLog.id, descending: true },
    scope,
    match,
    count: total,
    parts: isListed ? () => findPeriods(db, scope, lastId) : undefined,
    counting,
    lastId,
    size,
  });
};

/** The position of a line in the order by time, with microseconds, which a Date does not have. */
export type Place = { moment: string; id: number };

const siteName = columns.site;

/** The position of the cursor's line in the order by site. */
type SitePlace = Place & { site: string };

/**
 * Reads lines by site, newest first within a site. Few lines, and those of one user, are collected and then sorted. If
 * there are many, the names of the sites are scanned in order, and the lines of each are read with the index
 * `login_log__site` until the page is full: no index has the names in both directions combined with the newest lines
 * first.
 */
export const readLinesBySite = async (
  db: Queryable,
  { descending, ...lines }: LinesQuery & { descending: boolean },
) => {
  // All lines of one site have the same domain.
  if (isSiteId(lines.site)) return readLines(db, lines);
  const { counting, lastId, size, ...query } = lines;
  const scope = within(query);
  await assertCursor(db, loginLog.id, lastId, scope);
  const { match, total: known, siteNames } = await optimiseMatch(db, query, counting);
  const counted = await (known?.() ?? countRows(db, loginLog, { scope, match }, countingLimit(counting)));
  if (counting === 'only') return { rows: [], ...counted };
  const [place] = lastId === 0 ? [] : await db.select(sitePlace).from(loginLog).where(eq(loginLog.id, lastId));
  const page = { place, size, descending };
  const isRare = !counted.total_is_minimum && counted.total <= maximumSortedMatches;
  const isSmall = query.networkId === undefined || query.userId !== undefined || isRare;
  const ids = isSmall
    ? await findIdsSorted(db, and(scope, match), page)
    : await findIdsBySite(db, query.networkId ?? 0, { ...page, match, siteNames });
  const rows = await db
    .select(line)
    .from(loginLog)
    .where(sql`${loginLog.id} = any(${sql.param(ids)}::bigint[])`);
  const rowsById = new Map(rows.map((row) => [row.id, row]));
  return { rows: ids.flatMap((id) => rowsById.get(id) ?? []), ...counted };
};

type SitePage = { place: SitePlace | undefined; size: number; descending: boolean };

const sitePlace = {
  site: sql<string>`${siteName}`,
  moment: sql<string>`${loginLog.login_time}::text`,
  id: loginLog.id,
};

const isOlder = ({ moment, id }: Place): SQL =>
  sql`(${loginLog.login_time}, ${loginLog.id}) < (${moment}::timestamptz, ${id})`;

const findIdsSorted = async (db: Queryable, match: SQL | undefined, { place, size, descending }: SitePage) => {
  const beyond = descending ? sql.raw('<') : sql.raw('>');
  const after =
    place && sql`(${siteName} ${beyond} ${place.site} or (${siteName} = ${place.site} and ${isOlder(place)}))`;
  // An expression without an index makes PostgreSQL use the index of the search condition.
  const name = sql`(${siteName} || '')`;
  const rows = await db
    .select({ id: loginLog.id })
    .from(loginLog)
    .where(and(match, after))
    .orderBy(descending ? desc(name) : asc(name), desc(loginLog.login_time), desc(loginLog.id))
    .limit(size);
  return rows.map(({ id }) => id);
};

type SiteWalk = SitePage & { match: SQL | undefined; siteNames: SQL | undefined };

const findIdsBySite = async (db: Queryable, networkId: number, { place, size, descending, ...walk }: SiteWalk) => {
  const { match, siteNames } = walk;
  const ofSite = (name: SQL | string, older?: SQL) => sql`
    select ${loginLog.id} as id from ${loginLog}
    where ${and(eq(loginLog.network_id, networkId), sql`${siteName} = ${name}`, older, match)}
    order by ${loginLog.login_time} desc, ${loginLog.id} desc limit ${size}`;
  const idsOf = async (query: SQL) => (await db.execute<{ id: string }>(query)).rows.map(({ id }) => Number(id));
  const first = place ? await idsOf(ofSite(place.site, isOlder(place))) : [];
  if (first.length >= size) return first;
  const { name } = loginLogNames;
  const beyond = place && (descending ? sql`${name} < ${place.site}` : sql`${name} > ${place.site}`);
  const names = and(eq(loginLogNames.network_id, networkId), eq(loginLogNames.kind, 'site'), siteNames, beyond);
  // A lateral join runs as a nested loop: it keeps the order of the names, and stops when the page is full.
  const further = await idsOf(sql`
    select found.id from (select ${name} as name from ${loginLogNames} where ${names} order by ${name} ${sql.raw(descending ? 'desc' : 'asc')}) as site
    cross join lateral (${ofSite(sql`site.name`)}) as found limit ${size - first.length}`);
  return [...first, ...further];
};

/** The condition for an export. It is determined once, so that lines written meanwhile do not change it. */
export const findFileMatch = async (db: Queryable, query: Scope & Match): Promise<SQL | undefined> =>
  and(within(query), (await optimiseMatch(db, query)).match);

/** The next lines of an export, with columns that the list does not show. */
export const findLinesAfter = (db: Queryable, match: SQL | undefined, after: Place | undefined, size: number) =>
  db
    .select({
      ...line,
      mfa: loginLog.mfa,
      user_agent: loginLog.user_agent,
      moment: sql<string>`${loginLog.login_time}::text`,
    })
    .from(loginLog)
    .where(and(match, after && isOlder(after)))
    .orderBy(desc(loginLog.login_time), desc(loginLog.id))
    .limit(size);

/**
 * Returns the given lines that match the query, oldest first. They are recent, so only the newest partitions are read.
 */
export const findLinesAmong = (db: Queryable, query: Scope & Match, ids: readonly number[]) =>
  db
    .select(line)
    .from(loginLog)
    .where(
      and(
        sql`${loginLog.id} = any(${sql.param(ids)}::bigint[])`,
        sql`${loginLog.login_time} > now() - interval '1 hour'`,
        within(query),
        matching(query),
      ),
    )
    .orderBy(asc(loginLog.login_time), asc(loginLog.id));

/**
 * A line with the records it refers to, if they still exist. The console is a site without a panel, so it is left out.
 */
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
      site_name: sites.site_name,
      user_id: memberships.user_id,
      fullname: users.fullname,
    })
    .from(loginLog)
    .leftJoin(
      sites,
      and(eq(sites.id, loginLog.site_id), eq(sites.network_id, loginLog.network_id), eq(sites.kind, 'site')),
    )
    .leftJoin(
      memberships,
      and(eq(memberships.user_id, loginLog.user_id), eq(memberships.network_id, loginLog.network_id)),
    )
    // For a person who is not a member, the network only sees the address that was typed.
    .leftJoin(users, eq(users.id, memberships.user_id))
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

export const presentLines = ({ rows, total, total_is_minimum }: Awaited<ReturnType<typeof readLines>>) => ({
  logs: rows.map(presentLine),
  all_logs: total,
  total_is_minimum,
});
