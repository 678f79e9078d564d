import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { changeUser, endUserSessions, listDevices, removeDevice, removeOtherDevices } from '@opensocial/contract';
import { buildLogoutResponse, parseLogoutRequest, readSoap, soapEnvelope } from '@opensocial/saml';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { identitySessions, logoutSites, sites } from '../../../database/schema.ts';
import { type JobWorker, startWorker } from '../../../jobs/worker.ts';
import { type Browser, textOf } from '../../../testing/app/browser.ts';
import { makeSite, makeUser, networkNamed, password, signInto } from '../../../testing/app/builders.ts';
import { responseDraft } from '../../../testing/app/logout-site.ts';
import { ServiceProvider } from '../../../testing/app/service-provider.ts';
import { runWhileLocked } from '../../../testing/app/sign-in-pages.ts';
import { buildTestApp, type TestApp } from '../../../testing/app/test-app.ts';
import { eventually } from '../../../testing/machine/eventually.ts';
import { deleteStaleSignIns } from '../flow/cleanup.queries.ts';
import { informSiteTask } from './logout.jobs.ts';

/** The server of a site, which records the requests. */
const heard: ReturnType<typeof parseLogoutRequest>[] = [];
let status = 200;
let site: typeof sites.$inferSelect;
const listener = createServer(async (request, response) => {
  const asked = parseLogoutRequest(readSoap('SAMLRequest', await buffer(request)).xml);
  heard.push(asked);
  response.writeHead(status).end(soapEnvelope(buildLogoutResponse(responseDraft(asked.id, site))));
});

let testApp: TestApp;
let owner: ReturnType<TestApp['as']>;
let worker: JobWorker;
beforeAll(async () => {
  testApp = await buildTestApp({ OUTBOUND_PRIVATE: 'allow' });
  owner = testApp.as(await signInto(testApp.db, testApp.browser(), await makeUser(testApp.db, { owns: ['northlab'] })));
  await new Promise<void>((ready) => void listener.listen(0, '127.0.0.1', ready));
  const { port } = listener.address() as AddressInfo;
  site = await makeSite(testApp.db, { site_name: 'Wiki', sls: null, sls_soap: `http://127.0.0.1:${port}/soap` });
  const { pool, parts } = testApp;
  worker = await startWorker(pool, {
    tasks: { inform_site: informSiteTask(parts), send_mail: async () => undefined },
    sweep: async () => undefined,
    log: parts.log,
  });
});
afterAll(async () => {
  await worker.stop();
  listener.close();
});
beforeEach(() => {
  heard.length = 0;
  status = 200;
});

const enter = (browser: Browser, email: string) => enterSite(browser, site, email);
const enterSite = async (browser: Browser, entered: typeof site, email: string) => {
  const provider = await ServiceProvider.of(testApp, entered);
  const page = await browser.get(await provider.signInUrl());
  return provider.receive(page.form?.fields['SAMLResponse'] ? page : await browser.submit(page, { email, password }));
};
/** An owner ends the sessions of a member. */
const endSessionsOf = async (user: { id: number }) =>
  owner(endUserSessions, {
    body: { user_id: user.id, server_id: (await networkNamed(testApp.db, 'northlab')).id },
  });
/** A person with a session in a browser, at the site. */
const signedIn = async () => {
  const user = await makeUser(testApp.db);
  const browser = testApp.browser();
  const { sessionIndex } = await enter(browser, user.email);
  return { user, browser, sessionIndex: sessionIndex ?? '' };
};
const untilHeard = (count: number) => eventually(() => expect(heard).toHaveLength(count));
type Queued = {
  payload: object;
  priority: number;
  attempts: number;
  max_attempts: number;
  has_failed: boolean;
  seconds: number;
};
/** The attempt is counted when it begins, so `has_failed` tells when it is over. */
const queued = async () =>
  (
    await testApp.db.execute<Queued>(
      sql`select payload, priority, attempts, max_attempts, last_error is not null and locked_at is null as has_failed,
        extract(epoch from run_at - now())::float as seconds from graphile_worker._private_jobs jobs
        join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id where tasks.identifier = 'inform_site'`,
    )
  ).rows;

const retry = async () => {
  await testApp.db.execute(sql`update graphile_worker._private_jobs set run_at = now()`);
  await testApp.db.execute(sql`select pg_notify('jobs:insert', '{"r":1,"count":1}')`);
};
const untilEmpty = () => eventually(async () => expect(await queued()).toEqual([]));

describe('a session that ends without its browser is reported to sites with a back channel', () => {
  test('if the person is disabled', async () => {
    const { user, sessionIndex } = await signedIn();
    await owner(changeUser, { params: { userId: user.id, mode: 'Disable', serverName: 'northlab' } });
    await untilHeard(1);
    expect(heard[0]).toMatchObject({ nameId: user.email, sessionIndexes: [sessionIndex] });
    await untilEmpty();
  });

  test('if an owner ends the sessions of a member of several networks, at the sites of this network only', async () => {
    const user = await makeUser(testApp.db, { alsoIn: ['southlab'] });
    const browser = testApp.browser();
    await enter(browser, user.email);
    const [session] = await testApp.db.select().from(identitySessions).where(eq(identitySessions.user_id, user.id));
    const elsewhere = await makeSite(testApp.db, { network: 'southlab', sls_soap: site.sls_soap });
    await testApp.db.execute(
      sql`insert into identity_session_sites (session_id, site_id, name_id, name_id_format)
        values (${session?.id}, ${elsewhere.id}, 'private@southlab.org', 'x')`,
    );
    await endSessionsOf(user);
    await untilHeard(1);
    expect(heard[0]).toMatchObject({ nameId: user.email });
    await untilEmpty();
  });

  test('if the session signs in to a site at the same moment', async () => {
    const user = await makeUser(testApp.db);
    const plain = await makeSite(testApp.db);
    for (const known of [site, plain]) {
      heard.length = 0;
      await enterSite(testApp.browser(), known, user.email);
      const [session] = await testApp.db.select().from(identitySessions).where(eq(identitySessions.user_id, user.id));
      const late = await makeSite(testApp.db, { sls_soap: site.sls_soap });
      await runWhileLocked(
        testApp,
        sql`insert into identity_session_sites (session_id, site_id, name_id, name_id_format)
          values (${session?.id}, ${late.id}, 'late', 'x')`,
        () => endSessionsOf(user),
        async () => undefined,
      );
      await eventually(() => expect(heard.map(({ nameId }) => nameId)).toContain('late'));
      // The server answers for the other site only, so the job would be tried again.
      await eventually(async () => expect(await queued()).toMatchObject([{ attempts: 1, has_failed: true }]));
      await testApp.db.delete(sites).where(eq(sites.id, late.id));
      await retry();
      await untilEmpty();
    }
  });

  test('if the person signs out another browser, and never for the own one', async () => {
    const { user, browser, sessionIndex } = await signedIn();
    await browser.submit(await browser.get('/server/saml/login'));
    const other = testApp.browser();
    const second = await enter(other, user.email);
    const call = testApp.as(browser);
    const { devices } = await call(listDevices, {});
    const device = devices.find(({ current }) => !current);
    await call(removeDevice, { params: { id: device?.id ?? 0 } });
    await untilHeard(1);
    expect(heard[0]?.sessionIndexes).toEqual([second.sessionIndex]);
    const third = await enter(testApp.browser(), user.email);
    await call(removeOtherDevices, {});
    await untilHeard(2);
    expect(heard[1]?.sessionIndexes).toEqual([third.sessionIndex]);
    expect(heard.flatMap(({ sessionIndexes }) => sessionIndexes)).not.toContain(sessionIndex);
  });

  test('if another person signs in to the same browser', async () => {
    const { user, browser } = await signedIn();
    const other = await makeUser(testApp.db);
    const provider = await ServiceProvider.of(testApp, site, { forceAuthn: true });
    await browser.submit(await browser.get(await provider.signInUrl()), { email: other.email, password });
    await untilHeard(1);
    expect(heard[0]?.nameId).toBe(user.email);
  });

  test('again after a failure, without the name in the queue, and after the mails', async () => {
    status = 500;
    const { user } = await signedIn();
    await endSessionsOf(user);
    await untilHeard(1);
    await eventually(async () =>
      expect(await queued()).toMatchObject([{ priority: 10, attempts: 1, max_attempts: 6, has_failed: true }]),
    );
    expect(JSON.stringify(await queued())).not.toContain(user.email);
    status = 200;
    await retry();
    await untilHeard(2);
    await untilEmpty();
  });

  test('and the job ends if the site has lost its address', async () => {
    status = 500;
    const { user } = await signedIn();
    await endSessionsOf(user);
    await eventually(async () => expect(await queued()).toMatchObject([{ attempts: 1, has_failed: true }]));
    await testApp.db.update(sites).set({ sls_soap: null }).where(eq(sites.id, site.id));
    await retry();
    await untilEmpty();
    expect(heard).toHaveLength(1);
    await testApp.db.update(sites).set({ sls_soap: site.sls_soap }).where(eq(sites.id, site.id));
  });

  test('if it expires, in batches', async () => {
    const people = [await signedIn(), await signedIn(), await signedIn()];
    const live = await signedIn();
    for (const { user } of people)
      await testApp.db
        .update(identitySessions)
        .set({ last_seen_at: sql`now() - interval '400 days'` })
        .where(eq(identitySessions.user_id, user.id));
    await deleteStaleSignIns(testApp.parts, { sessions: 2 });
    await untilHeard(3);
    expect(heard.map(({ nameId }) => nameId).toSorted()).toEqual(people.map(({ user }) => user.email).toSorted());
    for (const { user } of people)
      expect(await testApp.db.$count(identitySessions, eq(identitySessions.user_id, user.id))).toBe(0);
    expect(await testApp.db.$count(identitySessions, eq(identitySessions.user_id, live.user.id))).toBe(1);
    await untilEmpty();
  });
});

describe('a session that ends in its browser', () => {
  const signOut = (browser: Browser) => browser.get('/server/saml/logout', { 'sec-fetch-site': 'same-origin' });
  const retryText = 'Wiki (we will try again in the next few minutes)';

  test('is reported at once, and the queue does not report it again', async () => {
    const { browser, sessionIndex } = await signedIn();
    expect(textOf((await signOut(browser)).html)).not.toContain('Wiki');
    expect(heard).toMatchObject([{ sessionIndexes: [sessionIndex] }]);
    const [job] = await queued();
    expect(job).toMatchObject({ priority: 10, attempts: 0, max_attempts: 6 });
    expect(job?.seconds).toBeGreaterThan(15);
    expect(job?.seconds).toBeLessThanOrEqual(30);
    await retry();
    await untilEmpty();
    expect(heard).toHaveLength(1);
  });

  test('is reported again by the queue if the site has failed, and the page says so', async () => {
    status = 500;
    const { browser, sessionIndex } = await signedIn();
    expect(textOf((await signOut(browser)).html)).toContain(retryText);
    await retry();
    await eventually(async () => expect(await queued()).toMatchObject([{ attempts: 1, has_failed: true }]));
    status = 200;
    await retry();
    await untilEmpty();
    expect(heard.map(({ sessionIndexes }) => sessionIndexes)).toEqual([[sessionIndex], [sessionIndex], [sessionIndex]]);
    const [row] = await testApp.db.select().from(logoutSites).where(eq(logoutSites.session_index, sessionIndex));
    expect(row?.is_informed).toBe(true);
  });

  test('is reported by the queue if the server fails before it has sent the message', async () => {
    const { user, browser, sessionIndex } = await signedIn();
    await testApp.db.execute(sql`create function fail() returns trigger language plpgsql as
      'begin raise exception ''The server has failed.''; end'`);
    await testApp.db.execute(
      sql`create trigger fail before update on logout_sites for each row execute function fail()`,
    );
    expect((await signOut(browser)).status).toBe(500);
    expect(heard).toEqual([]);
    expect(await testApp.db.$count(identitySessions, eq(identitySessions.user_id, user.id))).toBe(0);
    await testApp.db.execute(sql`drop trigger fail on logout_sites`);
    await retry();
    await untilEmpty();
    expect(heard).toMatchObject([{ sessionIndexes: [sessionIndex] }]);
  });

  test('is reported by the queue after the rows of the logout were deleted', async () => {
    status = 500;
    const { browser } = await signedIn();
    await signOut(browser);
    await testApp.db.execute(sql`update logouts set expires_at = now() - interval '1 minute'`);
    await deleteStaleSignIns(testApp.parts);
    expect(await testApp.db.$count(logoutSites)).toBe(0);
    status = 200;
    await retry();
    await untilHeard(2);
    await untilEmpty();
  });

  test('names a site that nobody will try again without that promise', async () => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    await enterSite(browser, await makeSite(testApp.db, { site_name: 'Absent', sls: null }), user.email);
    const text = textOf((await signOut(browser)).html);
    expect(text).toMatch(/You could not be signed out of some applications.*Absent/);
    expect(text).not.toContain('try again');
  });
});
