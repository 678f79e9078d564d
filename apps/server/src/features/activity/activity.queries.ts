import type { LoginStatus } from '@opensocial/contract';
import { and, asc, between, desc, eq, gt, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../database/connect.ts';
import { withinDays } from '../../database/days.ts';
import { containsFolded, patternOf, readPage } from '../../database/paging.ts';
import {
  identitySessions,
  loginLog,
  loginLogDays,
  loginLogNames,
  memberships,
  sites,
  users,
} from '../../database/schema.ts';
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

const filtering = ({ status, site, range }: Match): SQL | undefined =>
  and(
    status && eq(loginLog.login_status, status),
    isSiteId(site) ? eq(loginLog.site_id, Number(site)) : undefined,
    withinDays(loginLog.login_time, range),
  );

/** A number is one site's id, other text a part of the domain. */
const isSiteId = (site: string | undefined): boolean => site !== undefined && /^\d{1,15}$/.test(site);
const isAddress = (keyword: string): boolean =>
  /^\d{1,3}(\.\d{0,3}){1,3}$/.test(keyword) || /^[\da-f]{0,4}(:[\da-f]{0,4})+$/.test(keyword);

type Kind = (typeof loginLogNames.$inferSelect)['kind'];

/** What is looked for in one of the columns by which the log's names are known; in the other, where no name has it. */
type Sought = { kind: Kind; word: string; otherwise?: Kind };

/** Addresses are known by how they begin. */
const patternIn = (kind: Kind, word: string): string => (kind === 'address' ? `${word}%` : patternOf(word));

/** As the indexes have them. */
const columns: Record<Kind, SQL> = {
  email: sql`lower(${loginLog.email}) collate "C"`,
  site: sql`lower(${loginLog.site}) collate "C"`,
  address: sql`host(${loginLog.ip_address}) collate "C"`,
};

/**
 * The beginning of an address looks like one. Other words are looked for in whatever tells the lines of a list apart: the emails,
 * or the sites where no email has it; among one user's lines the sites, among one site's the emails.
 */
const seek = ({ keyword, site, userId }: Scope & Match): Sought[] => {
  const sought: Sought[] = [];
  if (site !== undefined && !isSiteId(site)) sought.push({ kind: 'site', word: site.toLowerCase() });
  if (keyword === undefined) return sought;
  const word = keyword.toLowerCase();
  if (isAddress(word)) return [...sought, { kind: 'address', word }];
  if (userId !== undefined) return [...sought, { kind: 'site', word }];
  return [...sought, { kind: 'email', word, ...(site === undefined && { otherwise: 'site' }) }];
};

const isNamed = (networkId: number, { kind, word }: Sought): SQL | undefined => {
  const { name, spread } = loginLogNames;
  const holds =
    kind === 'address' ? sql`${name} like ${patternIn(kind, word)}` : containsFolded({ searched: name, spread }, word);
  return and(eq(loginLogNames.network_id, networkId), eq(loginLogNames.kind, kind), holds);
};

/** So few lines are read by their names and sorted; of more, the newest are soon found among all. */
const few = 20_000;

/** What is sought, as a condition on the lines, and how many lines of the network that is. */
const look = async (
  db: Queryable,
  networkId: number,
  sought: Sought,
): Promise<{ lines: Record<LoginStatus, number>; condition: SQL }> => {
  const { kind, word, otherwise } = sought;
  const found = isNamed(networkId, sought);
  const [counted] = await db
    .select({
      Success: sql`coalesce(sum(${loginLogNames.succeeded}), 0)`.mapWith(Number),
      Failed: sql`coalesce(sum(${loginLogNames.failed}), 0)`.mapWith(Number),
    })
    .from(loginLogNames)
    .where(found);
  const lines = counted ?? { Success: 0, Failed: 0 };
  if (otherwise && lines.Success + lines.Failed === 0) return look(db, networkId, { kind: otherwise, word });
  const column = columns[kind];
  if (lines.Success + lines.Failed > few) return { lines, condition: sql`${column} like ${patternIn(kind, word)}` };
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

/** All that a search and filters ask for, line by line. */
const matching = (asked: Scope & Match): SQL | undefined =>
  and(
    filtering(asked),
    ...seek(asked).map((sought) => {
      const { kind, word, otherwise } = sought;
      const holds = sql`${columns[kind]} like ${patternIn(kind, word)}`;
      if (!otherwise || asked.networkId === undefined) return holds;
      return sql`(${holds} or ${columns[otherwise]} like ${patternIn(otherwise, word)}
        and not exists (select 1 from ${loginLogNames} where ${isNamed(asked.networkId, sought)}))`;
    }),
  );

/** The same in fewer steps, where the names of the log say how many lines that is; and how many, if they can. */
const sift = async (db: Queryable, asked: Scope & Match) => {
  const { networkId, userId, status, range } = asked;
  /** A user's and a site's own lines are few enough to be looked through. */
  if (networkId === undefined || userId !== undefined || isSiteId(asked.site))
    return { match: matching(asked), total: undefined };
  const looked = await Promise.all(seek(asked).map((each) => look(db, networkId, each)));
  const match = and(filtering(asked), ...looked.map(({ condition }) => condition));
  const [only, ...others] = looked;
  if (!only) return { match, total: () => countDays(db, networkId, status, range) };
  const isKnown = others.length === 0 && range === undefined;
  return { match, total: isKnown ? async () => sumOf(only.lines, status) : undefined };
};

export const readLines = async (db: Queryable, { lastId, size, ...asked }: LinesAsked) => {
  const { match, total } = await sift(db, asked);
  return readPage(db, loginLog, line, {
    order: { by: loginLog.login_time, id: loginLog.id, newestFirst: true },
    scope: within(asked),
    match,
    count: total,
    lastId,
    size,
  });
};

/** Where a file has come to: the moment to its last digit, which a Date has not. */
export type Place = { moment: string; id: number };

/** What a file is made of: found once, whatever is written meanwhile. */
export const findFileMatch = async (db: Queryable, asked: Scope & Match): Promise<SQL | undefined> =>
  and(within(asked), (await sift(db, asked)).match);

/** The next lines for a file, with what the list leaves to the panel of a line. */
export const findLinesAfter = (db: Queryable, match: SQL | undefined, after: Place | undefined, size: number) =>
  db
    .select({
      ...line,
      mfa: loginLog.mfa,
      user_agent: loginLog.user_agent,
      moment: sql<string>`${loginLog.login_time}::text`,
    })
    .from(loginLog)
    .where(
      and(match, after && sql`(${loginLog.login_time}, ${loginLog.id}) < (${after.moment}::timestamptz, ${after.id})`),
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
    .leftJoin(
      memberships,
      and(eq(memberships.user_id, loginLog.user_id), eq(memberships.network_id, loginLog.network_id)),
    )
    // Of somebody who is no member, the network learns no more than the address that was typed.
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

export const presentLines = ({ rows, total }: Awaited<ReturnType<typeof readLines>>) => ({
  logs: rows.map(presentLine),
  all_logs: total,
});
