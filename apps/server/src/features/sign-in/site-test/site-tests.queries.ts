import { SiteTestStep } from '@opensocial/contract';
import { and, eq, gt, ne, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Queryable } from '../../../database/connect.ts';
import { siteTests } from '../../../database/schema.ts';
import { hashToken } from '../../../secrets/tokens.ts';

type Row = typeof siteTests.$inferSelect;

/** A test that has not expired. */
export type SiteTestRow = Omit<Row, 'steps'> & { steps: SiteTestStep[] };

type OfPerson = { siteId: number; userId: number };
type Begun = OfPerson & { token: string; signs: Row['signs'] };

/** Steps that another version of the server has stored in another format are read as none. */
const toRow = (row: Row): SiteTestRow => ({ ...row, steps: z.array(SiteTestStep).catch([]).parse(row.steps) });

/** Begins a test. A person has one test per site, so that an earlier one ends. */
export const upsertTest = (db: Queryable, { siteId, userId, token, signs }: Begun, minutes: number) => {
  const begun = {
    token_hash: hashToken(token),
    state: 'waiting' as const,
    steps: [],
    request: null,
    paused: null,
    code_hash: null,
    signs,
    expires_at: sql`now() + make_interval(mins => ${minutes})`,
    created_at: sql`now()`,
  };
  return db
    .insert(siteTests)
    .values({ site_id: siteId, user_id: userId, ...begun })
    .onConflictDoUpdate({ target: [siteTests.site_id, siteTests.user_id], set: begun });
};

/** The last test of a person at a site. An expired one is included, because the console still shows its result. */
export const findLastTest = async (db: Queryable, { siteId, userId }: OfPerson): Promise<SiteTestRow | undefined> => {
  const [found] = await db
    .select()
    .from(siteTests)
    .where(and(eq(siteTests.site_id, siteId), eq(siteTests.user_id, userId)));
  return found && toRow(found);
};

/** The test of a person at a site, if it was begun in the browser with this cookie. */
export const findActiveTest = async (
  db: Queryable,
  { siteId, userId, token }: OfPerson & { token: string },
): Promise<SiteTestRow | undefined> => {
  const [found] = await db
    .select()
    .from(siteTests)
    .where(
      and(
        eq(siteTests.site_id, siteId),
        eq(siteTests.user_id, userId),
        eq(siteTests.token_hash, hashToken(token)),
        gt(siteTests.expires_at, sql`now()`),
        ne(siteTests.state, 'stopped'),
      ),
    );
  return found && toRow(found);
};

type Changes = Partial<Pick<SiteTestRow, 'state' | 'steps' | 'request' | 'paused' | 'code_hash'>>;

export const updateTest = (db: Queryable, { id }: Pick<SiteTestRow, 'id'>, changes: Changes) =>
  db.update(siteTests).set(changes).where(eq(siteTests.id, id));

/** Takes the paused request of a test, once. Undefined if it was taken before, or if a newer request has replaced it. */
export const claimPaused = async (db: Queryable, { id }: SiteTestRow, attempt: string): Promise<unknown> => {
  const { rows } = await db.execute<{ paused: unknown }>(sql`
    update ${siteTests} as claimed set state = 'sent', paused = null, request = null
    from (select id, paused from ${siteTests} where id = ${id} and state = 'paused' for update) as former
    where claimed.id = former.id and former.paused ->> 'attempt' = ${attempt}
    returning former.paused`);
  return rows[0]?.paused;
};

/** The test whose answer contained a code. */
export const findTestByCode = async (db: Queryable, siteId: number, code: string): Promise<SiteTestRow | undefined> => {
  const [found] = await db
    .select()
    .from(siteTests)
    .where(and(eq(siteTests.site_id, siteId), eq(siteTests.code_hash, hashToken(code))));
  return found && toRow(found);
};
