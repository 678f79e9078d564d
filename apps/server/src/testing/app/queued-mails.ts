import { sql } from 'drizzle-orm';
import { mailInvitation } from '../../features/users/users.invitations.service.ts';
import { answerLinkRequest } from '../../features/users/users.links.service.ts';
import { doOnce } from '../../jobs/do-once.ts';
import type { InvitationRequest, LinkRequest } from '../../jobs/jobs.ts';
import type { Mail } from '../../mail/mailer.ts';
import type { TestApp } from './test-app.ts';

type Job = { id: string; task: string; payload: { sealed: string } & InvitationRequest };

const jobsAfter = async ({ db }: TestApp, id: string): Promise<Job[]> => {
  const { rows } = await db.execute<Job>(
    sql`select jobs.id, tasks.identifier as task, jobs.payload from graphile_worker._private_jobs jobs
      join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id where jobs.id > ${id} order by jobs.id`,
  );
  return rows;
};

/**
 * Returns the mails that were queued during `work`. No worker runs in a test app, so mails stay in the queue; link
 * requests are answered and invitations are mailed here, as the worker would do.
 */
export const mailsQueuedBy = async (testApp: TestApp, work: () => Promise<unknown>): Promise<Mail[]> => {
  const { db, parts } = testApp;
  const { rows } = await db.execute<{ id: string }>(
    sql`select coalesce(max(id), 0) as id from graphile_worker._private_jobs`,
  );
  const before = rows[0]?.id ?? '0';
  await work();
  for (const { task, payload, ...job } of await jobsAfter(testApp, before)) {
    if (task === 'send_invitation') await doOnce(db, job, (tx) => mailInvitation(tx, parts, payload));
    if (task === 'answer_link_request')
      await doOnce(db, job, (tx) => answerLinkRequest(tx, parts, parts.vault.open(payload.sealed) as LinkRequest));
  }
  const mails = (await jobsAfter(testApp, before)).filter(({ task }) => task === 'send_mail');
  return mails.map(({ payload }) => parts.vault.open(payload.sealed) as Mail);
};
