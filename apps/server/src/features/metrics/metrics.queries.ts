import { sql } from 'drizzle-orm';
import type { Queryable } from '../../database/connect.ts';

export type JobCount = {
  task: string;
  state: 'waiting' | 'planned' | 'retried' | 'given_up' | 'running';
  count: number;
};

/** The jobs of the whole installation by task and state. A job that has used up its attempts stays in the queue. */
export const countJobs = async (db: Queryable): Promise<JobCount[]> => {
  const { rows } = await db.execute<JobCount>(sql`
    select task_identifier as task, count(*)::float8 as count,
      case
        when attempts >= max_attempts and locked_at is null then 'given_up'
        when locked_at is not null then 'running'
        when last_error is not null then 'retried'
        when run_at > now() then 'planned'
        else 'waiting'
      end as state
    from graphile_worker.jobs group by task, state`);
  return rows;
};

/** For how many seconds the job that is due longest has waited; 0 if none waits. */
export const findLongestWait = async (db: Queryable): Promise<number> => {
  const { rows } = await db.execute<{ seconds: number }>(sql`
    select greatest(coalesce(extract(epoch from now() - min(run_at)), 0), 0)::float8 as seconds from graphile_worker.jobs
    where attempts < max_attempts and locked_at is null`);
  return rows[0]?.seconds ?? 0;
};
