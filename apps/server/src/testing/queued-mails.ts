import { sql } from 'drizzle-orm';
import type { Mail } from '../mail/mailer.ts';
import type { TestApp } from './test-app.ts';

/** The mails that have come into the queue while something was done. Nobody takes them from there in a test app. */
export const mailsQueuedBy = async ({ db, parts }: TestApp, work: () => Promise<unknown>): Promise<Mail[]> => {
  const newest = async () =>
    (await db.execute<{ id: string }>(sql`select coalesce(max(id), 0) as id from graphile_worker._private_jobs`))
      .rows[0];
  const before = await newest();
  await work();
  const { rows } = await db.execute<{ payload: { sealed: string } }>(
    sql`select payload from graphile_worker._private_jobs where id > ${before?.id ?? 0} order by id`,
  );
  return rows.map(({ payload }) => parts.vault.open(payload.sealed) as Mail);
};
