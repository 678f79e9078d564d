import {
  createUser,
  declineInvitation,
  importUsers,
  listOwnNetworks,
  resendInvitation,
  setUserMode,
  type TemplateKind,
  templateNames,
  updateTemplate,
} from '@opensocial/contract';
import { setPasswordAddress } from '@opensocial/contract/mail';
import { eq, sql } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { declinedInvitations, emailTemplates, oneTimeTokens, throttles, type users } from '../../database/schema.ts';
import { makeUser, networkNamed, signInto } from '../../testing/app/builders.ts';
import { mailsQueuedBy } from '../../testing/app/queued-mails.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';
import { testOrigin } from '../../testing/app/test-parts.ts';

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
  await testApp.db.delete(emailTemplates);
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
const put = (fields: object) =>
  owner(updateTemplate, { params: { server: 'southlab' }, body: { server: 'southlab', ...fields } as never });
const useTemplate = async (kind: TemplateKind, html: string) => {
  const { field, updateMarker, use, switchMarker } = templateNames[kind];
  await put({ request: updateMarker, [field]: JSON.stringify({ design: null, html }) });
  await put({ request: switchMarker, [use]: 'Yes' });
};

/** What a request has left in the database and in the queue, without values that differ between any two requests. */
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

describe('the request that invites a person', () => {
  const onlyQueued = { jobs: [['send_invitation', ['userId', 'networkId', 'recordId']]], tokens: 0 };

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

  test('is followed by one mail: a link for a newcomer, a pointer to the profile for an account', async () => {
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

describe('the mail to a person with an account', () => {
  test('has the name that the network entered, and links to our own pages only', async () => {
    await useTemplate(
      'ex_user_invitation',
      `<p>Dear {user_name}</p>
      <p><a href="https://evil.example/?n={user_name}&e={email}">See the invitation</a></p>
      <p><a href="mailto:owner@evil.example">Write to us</a></p>
      <p><a href="{signup_from}/saml/southlab/start/1?RelayState={email}">Enter</a></p>
      <p><a href="{signup_from}/profile/../saml/southlab/start/1">Come in</a></p>
      <p><a href="{signup_from}/profile">Your profile</a></p>`,
    );
    const known = await makeUser(testApp.db, { firstname: 'Secret', lastname: 'Person' });
    const [mail] = await mailsQueuedBy(testApp, () => invite(known.email));
    const whole = `${mail?.text} ${mail?.html}`;
    expect(mail?.text).toContain('Dear Typed Name');
    for (const word of ['See the invitation', 'Write to us', 'Enter', 'Come in']) expect(mail?.text).toContain(word);
    expect(whole).not.toMatch(/Secret|Person|evil\.example|saml/);
    expect([...(mail?.html.matchAll(/href="([^"]*)"/g) ?? [])].map(([, href]) => href)).toEqual([
      `${testOrigin}/profile`,
    ]);
  });

  test('a newcomer still gets the links of the network', async () => {
    await useTemplate(
      'invitation',
      `<p><a href="https://south.example/">About us</a></p><p><a href="${setPasswordAddress}">Go</a></p>`,
    );
    const [mail] = await mailsQueuedBy(testApp, () => invite('links@mailed.org'));
    expect(mail?.html).toContain('https://south.example/');
  });
});

describe('the budget of a network', () => {
  test('is 5,000 mails a day', async () => {
    const key = `owner-mail:${south.id}`;
    await invite('counted@budget.org');
    await testApp.db.update(throttles).set({ failures: 4_999 }).where(eq(throttles.key, key));
    await invite('last@budget.org');
    await expect(invite('refused@budget.org')).rejects.toMatchObject({ code: 'mail_limit' });
  });
});

describe('a person who has declined', () => {
  test('is neither mailed nor shown another invitation of that network for 30 days, and its owner cannot tell', async () => {
    const known = await makeUser(testApp.db);
    const theirs = await as(known);
    const shown = async () => (await theirs(listOwnNetworks, {})).invitations.map(({ server }) => server);
    const first = await invite(known.email);
    expect(await shown()).toEqual(['southlab']);
    await theirs(declineInvitation, { params: { server: 'southlab' } });

    let again = first;
    const mails = await mailsQueuedBy(testApp, async () => {
      again = await invite(known.email);
      await owner(resendInvitation, { body: { user_id: again.id, server_id: south.id } });
    });
    expect(mails).toEqual([]);
    expect(await shown()).toEqual([]);
    // Another network is not affected.
    expect(await testApp.db.$count(declinedInvitations)).toBe(1);
    const { id: _first, uid: _firstUid, created: _firstTime, ...like } = first;
    expect(again).toMatchObject(like);
    expect(
      await mailsQueuedBy(testApp, () => owner(resendInvitation, { body: { user_id: again.id, server_id: south.id } })),
    ).toEqual([]);

    await testApp.db
      .update(declinedInvitations)
      .set({ declined_at: new Date(Date.now() - 31 * 86_400_000) })
      .where(eq(declinedInvitations.network_id, south.id));
    expect(await shown()).toEqual(['southlab']);
    const later = await mailsQueuedBy(testApp, () =>
      owner(resendInvitation, { body: { user_id: again.id, server_id: south.id } }),
    );
    expect(later.map(({ to }) => to)).toEqual([known.email]);
  });
});
