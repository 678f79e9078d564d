import { verify, X509Certificate } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getModeAnnouncement, readSiteMetadata, setSiteMode } from '@opensocial/contract';
import { buildSpMetadata } from '@opensocial/saml';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { sites } from '../../database/schema.ts';
import { type JobWorker, startWorker } from '../../jobs/worker.ts';
import { makeSite, makeUser, networkNamed, signInto } from '../../testing/app/builders.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';
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
  vi.waitFor(async () => expect(await announcement(id)).toMatchObject(wanted), { timeout: 20_000, interval: 30 });

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

describe("a service provider's metadata", () => {
  const read = (body: object) => call(readSiteMetadata, { params: { server_name: 'northlab' }, body });
  const xml = buildSpMetadata({
    entityId: 'https://a.org/metadata',
    acsUrl: 'https://a.org/acs',
    slsUrl: 'https://a.org/sls',
    certificates: [],
  });

  test('fills the parameters, pasted or by its URL', async () => {
    const wanted = {
      identity: 'https://a.org/metadata',
      acs: 'https://a.org/acs',
      sls: 'https://a.org/sls',
      domain: 'a.org',
      certificate: '',
      signed_requests: 'Yes',
    };
    expect(await read({ xml })).toEqual(wanted);
    status = 200;
    answer = xml;
    expect(await read({ url: `${listenerUrl()}/metadata` })).toEqual(wanted);
  });

  test.each([
    [{}, 'invalid_input'],
    [{ xml, url: 'https://a.org' }, 'invalid_input'],
    [{ xml: '<html/>' }, 'metadata_unreadable'],
    [{ xml: `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>${xml}` }, 'metadata_unreadable'],
    [{ url: 'http://127.0.0.1:9/' }, 'address_unreachable'],
  ])('that is invalid is refused: %j', async (body, code) => {
    await expect(read(body)).rejects.toMatchObject({ status: 400, code });
  });

  const idp = `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.org"><IDPSSODescriptor
    protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"/></EntityDescriptor>`;
  test.each([
    [{ xml: idp }, /metadata of an identity provider.*service provider/s],
    [{ xml: '' }, /^Enter the address of the metadata/],
    [{ xml: ' \n ' }, /^Enter the address of the metadata/],
    [{}, /^Enter the address of the metadata/],
    [{ url: '', xml: '' }, /^Enter the address of the metadata/],
    [{ xml, url: 'https://a.org' }, /^Enter either the address or the XML/],
    [{ xml: '<note>hello</note>' }, /^This XML is not SAML metadata/],
    [{ xml: '<!doctype html><html><p>Sign in</p></html>' }, /^This is a web page/],
    [{ xml: '<html><body/></html>' }, /^This is a web page/],
    [{ xml: 'entityID: https://a.org' }, /^This is not XML/],
    [{ xml: xml.slice(0, -30) }, /^This XML is incomplete or damaged/],
    [{ xml: '{"entity":"https://a.org"}' }, /^This is not XML/],
    [{ xml: xml.replaceAll('HTTP-POST', 'HTTP-Artifact') }, /names no address that takes an answer by HTTP-POST/],
    [{ url: 'ftp://a.org/metadata' }, /https:\/\//],
  ])('§2.6 explains the problem: %j', async (body, sentence) => {
    const refused = await read(body).catch((error: unknown) => error);
    expect(refused).toMatchObject({ status: 400, message: expect.stringMatching(sentence) as unknown });
    expect((refused as Error).message).not.toContain('SAML message');
  });

  test('at a URL that answers with an error, or with too much, is refused', async () => {
    status = 404;
    await expect(read({ url: listenerUrl() })).rejects.toMatchObject({ message: 'The address answered 404.' });
    status = 200;
    answer = 'x'.repeat(1_000_001);
    await expect(read({ url: listenerUrl() })).rejects.toMatchObject({ code: 'address_unreachable' });
  });
});
