import { asc, eq, lte, or, sql } from 'drizzle-orm';
import type { Queryable } from '../../database/connect.ts';
import { groups, sites } from '../../database/schema.ts';

/** The testers of a site. */
export const findTesters = async (db: Queryable, groupId: number | null) => {
  if (groupId === null) return undefined;
  const [group] = await db.select({ id: groups.id, name: groups.name }).from(groups).where(eq(groups.id, groupId));
  return group;
};

const isDue = or(lte(sites.closes_at, sql`now()`), lte(sites.opens_at, sql`now()`));

/** The clock of the database decides, because it also starts the jobs. */
export const findNow = async (db: Queryable): Promise<Date> => {
  const { rows } = await db.execute<{ now: string }>(sql`select now()`);
  return new Date(rows[0]?.now ?? Date.now());
};

/** The ids of sites that have to be closed or opened now. */
export const findDueSites = async (db: Queryable, maximum: number): Promise<number[]> => {
  const due = await db.select({ id: sites.id }).from(sites).where(isDue).orderBy(asc(sites.id)).limit(maximum);
  return due.map(({ id }) => id);
};
