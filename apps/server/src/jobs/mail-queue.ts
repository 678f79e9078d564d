import { sql } from 'drizzle-orm';
import type { Queryable } from '../database/connect.ts';

/** The jobs that send a mail. Requests for a link are left out: they need not lead to one. */
const mailTasks = ['send_mail', 'send_invitation'];

/** The mails of the whole installation that are not delivered yet. A job that has used up its attempts stays in the queue. */
export const findMailQueue = async (db: Queryable) => {
  const { rows } = await db.execute<{ waiting: string; retried: string; given_up: string; oldest_at: Date | null }>(sql`
    select count(*) filter (where attempts < max_attempts) as waiting,
      count(*) filter (where attempts < max_attempts and last_error is not null) as retried,
      count(*) filter (where attempts >= max_attempts) as given_up,
      min(created_at) filter (where attempts < max_attempts) as oldest_at
    from graphile_worker.jobs where task_identifier = any(${sql.param(mailTasks)}::text[])`);
  const [queue] = rows;
  return {
    waiting: Number(queue?.waiting ?? 0),
    retried: Number(queue?.retried ?? 0),
    given_up: Number(queue?.given_up ?? 0),
    oldest_at: queue?.oldest_at ? new Date(queue.oldest_at) : null,
  };
};
