import { verify, X509Certificate } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getModeAnnouncement, setSiteMode } from '@opensocial/contract';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sites } from '../../database/schema.ts';
import { type JobWorker, startWorker } from '../../jobs/worker.ts';
import { makeSite, makeUser, networkNamed, signInto } from '../../testing/app/builders.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';
import { eventually } from '../../testing/machine/eventually.ts';
import { findCertificates } from '../networks/networks.service.ts';
import { announceModeTask } from './sites.jobs.ts';

type Heard = { body: string; headers: IncomingMessage['headers'] };

/** A site's own server, which records the announcements. */
const heard: Heard[] = [];
let status = 204;
let answer = '';
const listener = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  heard.push({ body, headers: request.headers });
  response.writeHead(status, { location: `${listenerUrl()}/elsewhere` }).end(answer);
});
const listenerUrl = () => `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;

let testApp: TestApp;
let call: ReturnType<TestApp['as']>;
let worker: JobWorker;
beforeAll(async () => {
  testApp = await buildTestApp({ OUTBOUND_PRIVATE: 'allow' });
  call = testApp.as(await signInto(testApp.db, testApp.browser(), await makeUser(testApp.db, { owns: ['northlab'] })));
  await new Promise<void>((ready) => void listener.listen(0, '127.0.0.1', ready));
  const { pool, parts } = testApp;
  worker = await startWorker(pool, {
    tasks: { announce_mode: announceModeTask(parts) },
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
  status = 204;
  answer = '';
});

const siteAt = (update_url: string) => makeSite(testApp.db, { update_url });
const close = (id: number) => call(setSiteMode, { params: { site_id: id, mode: 'Closed' } });
const announcement = (id: number) => call(getModeAnnouncement, { params: { site_id: id } });
const until = (id: number, wanted: object) =>
  eventually(async () => expect(await announcement(id)).toMatchObject(wanted));

describe('§2.6 a change of mode', () => {
  test('is stored and then announced to the Mode Update URL, signed by the network', async () => {
    const site = await siteAt(`${listenerUrl()}/mode`);
    await close(site.id);
    await until(site.id, { state: 'delivered', mode: 'Closed', tries: 1, outcome: 'The site answered 204.' });
    expect(heard).toHaveLength(1);
    const { body = '', headers = {} } = heard[0] ?? {};
    expect(JSON.parse(body)).toMatchObject({ network: 'northlab', identity: site.identity, site_mode: 'Closed' });
    const { id } = await networkNamed(testApp.db, 'northlab');
    const [certificate = ''] = await findCertificates(testApp.db, id);
    const { publicKey } = new X509Certificate(Buffer.from(certificate, 'base64'));
    const signature = Buffer.from(String(headers['x-opensocial-signature']), 'base64');
    expect(verify('RSA-SHA256', Buffer.from(body), publicKey, signature)).toBe(true);
    expect(verify('RSA-SHA256', Buffer.from(`${body} `), publicKey, signature)).toBe(false);
  });

  test("that the site refuses is retried later; the site's answer is not shown", async () => {
    status = 500;
    answer = 'a secret of the inner network';
    const site = await siteAt(`${listenerUrl()}/mode`);
    await close(site.id);
    await until(site.id, { state: 'waiting', tries: 1, outcome: 'The site answered 500.' });
    const waiting = await announcement(site.id);
    expect(Date.parse(waiting.next_try ?? '')).toBeGreaterThan(Date.parse(waiting.last_try ?? ''));
    expect(JSON.stringify(waiting)).not.toContain('secret');
    status = 200;
    await testApp.db.execute(sql`update graphile_worker._private_jobs set run_at = now()`);
    await testApp.db.execute(sql`select pg_notify('jobs:insert', '{"r":1,"count":1}')`);
    await until(site.id, { state: 'delivered', tries: 2 });
  });

  test('does not follow redirects', async () => {
    status = 302;
    const site = await siteAt(`${listenerUrl()}/mode`);
    await close(site.id);
    await until(site.id, { outcome: expect.stringContaining('answered 302, a redirect, which is not followed') });
    expect(heard).toHaveLength(1);
  });

  test('that cannot be delivered is not an error of the change', async () => {
    const site = await siteAt('http://127.0.0.1:9/mode');
    await close(site.id);
    await until(site.id, { state: 'waiting', outcome: 'The server refused the connection.' });
    const [stored] = await testApp.db.select().from(sites).where(eq(sites.id, site.id));
    expect(stored?.site_mode).toBe('Closed');
  });

  test('that is reverted before delivery is announced in its final state, once', async () => {
    status = 500;
    const site = await siteAt(`${listenerUrl()}/mode`);
    await close(site.id);
    await until(site.id, { tries: 1 });
    status = 204;
    await call(setSiteMode, { params: { site_id: site.id, mode: 'Open' } });
    await until(site.id, { state: 'delivered', mode: 'Open', tries: 1 });
    expect(heard.map(({ body }) => (JSON.parse(body) as { site_mode: string }).site_mode)).toEqual(['Closed', 'Open']);
  });

  test('of a site without a Mode Update URL is not announced', async () => {
    const site = await makeSite(testApp.db);
    await close(site.id);
    expect(await announcement(site.id)).toMatchObject({ state: 'none' });
  });
});
