import { sql } from 'drizzle-orm';
import type { Task } from 'graphile-worker';
import { beforeAll, expect, test } from 'vitest';
import { makeUser, networkNamed } from '../../testing/app/builders.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';
import { answerLinkRequestTask, sendInvitationTask } from './users.jobs.ts';
import { insertInvitations } from './users.service.ts';

type Job = { id: string; task: string; payload: unknown };

let testApp: TestApp;
beforeAll(async () => {
  testApp = await buildTestApp();
});

const jobs = async (): Promise<Job[]> =>
  (
    await testApp.db.execute<Job>(sql`select jobs.id, tasks.identifier as task, jobs.payload from graphile_worker._private_jobs jobs
      join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id order by jobs.id`)
  ).rows;

/** Runs the queued job as far as a server that is killed before it can report that the job is done. */
const runUntilKilled = async (task: Task): Promise<string[]> => {
  const [job] = await jobs();
  await task(job?.payload, { job } as never);
  const left = await jobs();
  await testApp.db.execute(sql`delete from graphile_worker._private_jobs`);
  return left.map((each) => each.task);
};

test('an invitation is not mailed twice if the server is killed after it has queued the mail', async () => {
  const network = await networkNamed(testApp.db, 'northlab');
  const ana = { email: 'ana@northlab.org', firstname: 'Ana', lastname: 'Moreno' };
  const [invited] = await testApp.db.transaction((tx) => insertInvitations(tx, network.id, [ana]));
  await testApp.parts.jobs.sendInvitations(testApp.db, [{ userId: invited?.id ?? 0, networkId: network.id }]);
  expect(await runUntilKilled(sendInvitationTask(testApp.parts))).toEqual(['send_mail']);
});

test('a requested link is not mailed twice if the server is killed after it has queued the mail', async () => {
  const network = await networkNamed(testApp.db, 'northlab');
  const { email } = await makeUser(testApp.db);
  const request = {
    reason: 'forgot',
    network,
    email,
    firstname: '',
    lastname: '',
    address: '10.0.0.1',
    device: undefined,
  } as const;
  await testApp.parts.jobs.answerLinkRequest(testApp.db, request);
  expect(await runUntilKilled(answerLinkRequestTask(testApp.parts))).toEqual(['send_mail']);
});
