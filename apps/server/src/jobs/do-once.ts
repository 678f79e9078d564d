import { sql } from 'drizzle-orm';
import type { Database, Transaction } from '../database/connect.ts';

/**
 * Does the work of a job and deletes the job in the same transaction. Otherwise a server that is killed in between would repeat the work,
 * for example queue a second mail. The job must not belong to a queue.
 */
export const doOnce = (db: Database, job: { id: string }, work: (tx: Transaction) => Promise<unknown>): Promise<void> =>
  db.transaction(async (tx) => {
    await work(tx);
    await tx.execute(sql`delete from graphile_worker._private_jobs where id = ${job.id}`);
  });
