import { createUser, importUsers, setUserMode } from '@opensocial/contract';
import { sql } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { oneTimeTokens, throttles, type users } from '../../database/schema.ts';
import { makeUser, networkNamed, signInto } from '../../testing/builders.ts';
import { mailsQueuedBy } from '../../testing/queued-mails.ts';
import { buildTestApp, type TestApp } from '../../testing/test-app.ts';
import { testOrigin } from '../../testing/test-parts.ts';

type User = typeof users.$inferSelect;
let testApp: TestApp;
let south: { id: number };
let owner: ReturnType<TestApp['as']>;
beforeAll(async () => {
  testApp = await buildTestApp();
  south = await networkNamed(testApp.db, 'southlab');
  owner = await as(await makeUser(testApp.db, { network: 'southlab', owns: ['southlab'] }));
});
beforeEach(async () => {
  await testApp.db.delete(throttles);
});

const as = async (user: User) => testApp.as(await signInto(testApp.db, testApp.browser(), user));
const invitation = (email: string) => ({
  email,
  firstname: 'Typed',
  lastname: 'Name',
  sso_server_id: south.id,
  signup_from: `${testOrigin}/sso-servers/southlab/users/new`,
  signup_server: 'southlab',
  groups: [],
});
const invite = (email: string) => owner(createUser, { body: invitation(email) });

/** What a request has left in the database and in the queue, without what differs between any two requests. */
const leftBy = async (work: () => Promise<unknown>) => {
  const jobs = async () =>
    (
      await testApp.db.execute<{ task: string; payload: object }>(
        sql`select tasks.identifier as task, jobs.payload from graphile_worker._private_jobs jobs
          join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id order by jobs.id`,
      )
    ).rows;
  const [jobsBefore, tokensBefore] = [await jobs(), await testApp.db.$count(oneTimeTokens)];
  await work();
  const added = (await jobs()).slice(jobsBefore.length);
  return {
    jobs: added.map(({ task, payload }) => [task, Object.keys(payload)]),
    tokens: (await testApp.db.$count(oneTimeTokens)) - tokensBefore,
  };
};

describe('the request that invites somebody', () => {
  const onlyQueued = { jobs: [['send_invitation', ['userId', 'networkId']]], tokens: 0 };

  test('does the same work whether or not the address has an account', async () => {
    const known = await makeUser(testApp.db);
    expect(await leftBy(() => invite(known.email))).toEqual(onlyQueued);
    expect(await leftBy(() => invite('nobody@timing.org'))).toEqual(onlyQueued);
  });

  test('leaves one job for each line of a file', async () => {
    const rows = ['one@import.org', 'two@import.org', (await makeUser(testApp.db)).email].map((email) => ({
      email,
      firstname: 'A',
      lastname: 'B',
      groups: [],
    }));
    const params = { server_id: south.id, server_name: 'southlab' };
    const left = await leftBy(() => owner(importUsers, { params, body: { rows, apply: true } }));
    expect(left).toEqual({ jobs: [onlyQueued.jobs[0], onlyQueued.jobs[0], onlyQueued.jobs[0]], tokens: 0 });
  });

  test('is followed by one mail: a link for a newcomer, a hint to the profile for an account', async () => {
    const [link, ...more] = await mailsQueuedBy(testApp, () => invite('newcomer@mailed.org'));
    expect([link?.to, more]).toEqual(['newcomer@mailed.org', []]);
    expect(link?.text).toContain('/set-password?email=newcomer%40mailed.org&token=');
    const known = await makeUser(testApp.db);
    const [hint, ...others] = await mailsQueuedBy(testApp, () => invite(known.email));
    expect([hint?.to, others]).toEqual([known.email, []]);
    expect(hint?.text).toContain(`${testOrigin}/profile`);
    expect(hint?.text).not.toContain('set-password');
  });

  test('is followed by no mail if the invitation is disabled before the job runs', async () => {
    const mails = await mailsQueuedBy(testApp, async () => {
      const { id } = await invite('disabled@mailed.org');
      await owner(setUserMode, { params: { userId: id, mode: 'Disable' } });
    });
    expect(mails).toEqual([]);
  });
});
