import { ApiError, type LoginStatus, type OverviewPeriod, unknownZone } from '@opensocial/contract';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { isUnknownName, type Queryable } from '../../database/connect.ts';
import { loginLogBackfill, loginLogHours } from '../../database/schema.ts';

const daysOf = { '7d': 7, '30d': 30, '90d': 90 } as const;

/**
 * The beginnings of the hours or days of a period in a time zone, up to the current one. Hours are those of the clock on the wall, which in
 * some time zones begin at half past an hour of UTC. `date_trunc` keeps the two hours apart that have the same name when summer time ends.
 */
const startsOf = (period: OverviewPeriod, zone: string, now: SQL): SQL =>
  period === '24h'
    ? sql`select distinct date_trunc('hour', quarter, ${zone}) as start
        from generate_series(date_trunc('hour', ${now}, ${zone}) - interval '23 hours', ${now}, interval '15 minutes') as quarter`
    : sql`select (date_trunc('day', ${now} at time zone ${zone}) - days * interval '1 day') at time zone ${zone} as start
        from generate_series(0, ${daysOf[period] - 1}) as days`;

/** The beginnings of the hours or days of a period, in order. */
export const findStarts = async (
  db: Queryable,
  { period, zone, now }: { period: OverviewPeriod; zone: string; now: Date },
): Promise<Date[]> => {
  const at = sql`${now.toISOString()}::timestamptz`;
  const { rows } = await db
    .execute<{ start: Date }>(sql`select start from (${startsOf(period, zone, at)}) as starts order by start`)
    .catch((cause: unknown) => {
      throw isUnknownName(cause) ? new ApiError('invalid_input', { message: unknownZone, cause }) : cause;
    });
  return rows.map(({ start }) => new Date(start));
};

const { hour, network_id, login_status, reason, quarter_1, quarter_2, quarter_3, quarter_4 } = loginLogHours;
const quarterLength = 900_000;
const hourLength = 4 * quarterLength;

const toArray = (moments: readonly Date[]): SQL =>
  sql`${sql.param(moments.map((moment) => moment.toISOString()))}::timestamptz[]`;

export type CountedLines = { bucket: number; status: LoginStatus; reason: string; lines: number };

/**
 * The lines of a network in each bucket, by status and reason. The first bucket is 1. Every hour of UTC is counted as a part of the bucket that
 * contains its end; then the quarters that belong to the bucket before are moved there.
 */
export const countLines = async (
  db: Queryable,
  networkId: number,
  starts: readonly Date[],
): Promise<CountedLines[]> => {
  const hours = starts.map((start) => new Date(start.getTime() - (start.getTime() % hourLength)));
  const { rows } = await db.execute<{ bucket: number; status: LoginStatus; reason: string; lines: string }>(sql`
    select width_bucket(${hour}, ${toArray(hours)}) as bucket, ${login_status} as status, ${reason} as reason,
      sum(${quarter_1} + ${quarter_2} + ${quarter_3} + ${quarter_4}) as lines
    from ${loginLogHours} where ${network_id} = ${networkId} and ${hour} >= (${toArray(hours)})[1]
    group by 1, 2, 3`);
  const counted = rows.map(({ lines, ...row }) => ({ ...row, lines: Number(lines) }));
  return [...counted, ...(await findMovedLines(db, networkId, starts))];
};

/** The lines before the beginning of a bucket within an hour, as a subtraction from its bucket and an addition to the one before. */
const findMovedLines = async (db: Queryable, networkId: number, starts: readonly Date[]): Promise<CountedLines[]> => {
  const splits = starts.flatMap((start, index) => {
    const offset = start.getTime() % hourLength;
    return offset === 0
      ? []
      : [{ bucket: index + 1, hour: start.getTime() - offset, quarters: offset / quarterLength }];
  });
  if (splits.length === 0) return [];
  const rows = await db
    .select()
    .from(loginLogHours)
    .where(and(eq(network_id, networkId), sql`${hour} = any(${toArray(splits.map((split) => new Date(split.hour)))})`));
  const splitOf = new Map(splits.map((split) => [split.hour, split]));
  return rows.flatMap((row) => {
    const { bucket = 0, quarters = 0 } = splitOf.get(row.hour.getTime()) ?? {};
    const lines = [row.quarter_1, row.quarter_2, row.quarter_3].slice(0, quarters).reduce((sum, each) => sum + each, 0);
    const line = { status: row.login_status, reason: row.reason };
    const before = bucket > 1 ? [{ ...line, bucket: bucket - 1, lines }] : [];
    return [{ ...line, bucket, lines: -lines }, ...before];
  });
};

/** Whether the lines from before they were counted are counted by now. */
export const areLinesCounted = async (db: Queryable): Promise<boolean> => (await db.$count(loginLogBackfill)) === 0;
