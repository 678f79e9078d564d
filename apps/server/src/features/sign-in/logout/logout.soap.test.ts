import { createPrivateKey } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import {
  buildLogoutRequest,
  buildLogoutResponse,
  newSamlId,
  parseLogoutRequest,
  parseLogoutResponse,
  readRedirect,
  readSoap,
  type SigningKey,
  soapEnvelope,
  soapFault,
  verifyMessage,
} from '@opensocial/saml';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { identitySessions, logouts, type sites } from '../../../database/schema.ts';
import { makeSigningKey } from '../../../secrets/signing-keys.ts';
import { type Browser, textOf } from '../../../testing/app/browser.ts';
import { makeSite, makeUser, networkNamed, password } from '../../../testing/app/builders.ts';
import { framesOf, responseDraft } from '../../../testing/app/logout-site.ts';
import { ServiceProvider } from '../../../testing/app/service-provider.ts';
import { buildTestApp, type TestApp } from '../../../testing/app/test-app.ts';
import { testOrigin } from '../../../testing/app/test-parts.ts';
import { findCertificates } from '../../networks/networks.queries.ts';

type Site = typeof sites.$inferSelect;
type Received = { headers: IncomingMessage['headers']; bytes: Buffer; path: string };
type Respond = (response: ServerResponse, requestId: string, site: Site) => void;

let testApp: TestApp;
/** An app that sends nothing to private addresses, as by default. */
let guardedApp: TestApp;
let key: SigningKey;
let otherKey: SigningKey;

/** The servers of the sites: each has its own path. */
let received: Received[] = [];
const responders = new Map<string, { respond: Respond; site: () => Site }>();
let running = 0;
let mostRunning = 0;
const listener = createServer(async (request, response) => {
  running += 1;
  mostRunning = Math.max(mostRunning, running);
  response.on('close', () => (running -= 1));
  const bytes = await buffer(request);
  const path = request.url ?? '';
  received.push({ headers: request.headers, bytes, path });
  const responder = responders.get(path);
  const { id } = parseLogoutRequest(readSoap('SAMLRequest', bytes).xml);
  if (responder) responder.respond(response, id, responder.site());
});
const soapUrl = (path: string) => `http://127.0.0.1:${(listener.address() as AddressInfo).port}${path}`;

const makeKey = async (): Promise<SigningKey> => {
  const made = await makeSigningKey('a site');
  const privateKey = createPrivateKey({ key: made.privateKey, format: 'der', type: 'pkcs8' });
  return { privateKey, certificate: made.certificate };
};

beforeAll(async () => {
  testApp = await buildTestApp({ OUTBOUND_PRIVATE: 'allow' });
  guardedApp = await buildTestApp();
  [key, otherKey] = [await makeKey(), await makeKey()];
  await new Promise<void>((ready) => void listener.listen(0, '127.0.0.1', ready));
});
afterAll(() => {
  listener.closeAllConnections();
  listener.close();
});
beforeEach(() => {
  received = [];
  responders.clear();
});

const sendXml = (response: ServerResponse, xml: string) =>
  void response.setHeader('content-type', 'text/xml').end(soapEnvelope(xml));

const success: Respond = (response, id, site) => sendXml(response, buildLogoutResponse(responseDraft(id, site)));

let paths = 0;
/** A site with a server. */
const makeServerSite = async (app: TestApp, name: string, draft: Partial<Site>, respond: Respond): Promise<Site> => {
  paths += 1;
  const path = `/soap-${paths}`;
  const addresses = draft.sls_binding === 'soap' ? { sls: soapUrl(path) } : { sls_soap: soapUrl(path) };
  const site = await makeSite(app.db, { site_name: name, ...addresses, ...draft });
  responders.set(path, { respond, site: () => site });
  return site;
};

const enter = async (app: TestApp, browser: Browser, site: Site, email: string) => {
  const provider = await ServiceProvider.of(app, site);
  const page = await browser.get(await provider.signInUrl());
  return provider.receive(page.form?.fields['SAMLResponse'] ? page : await browser.submit(page, { email, password }));
};

/** Signs a person in to the sites. */
const enterAll = async (app: TestApp, ...visited: Site[]) => {
  const user = await makeUser(app.db);
  const browser = app.browser();
  let sessionIndex = '';
  for (const site of visited) sessionIndex = (await enter(app, browser, site, user.email)).sessionIndex ?? '';
  return { user, browser, sessionIndex };
};

const signOutHere = (browser: Browser) => browser.get('/server/saml/logout', { 'sec-fetch-site': 'same-origin' });
const certificatesOfNetwork = async (app: TestApp) =>
  findCertificates(app.db, (await networkNamed(app.db, 'northlab')).id);
const sessionsOf = (app: TestApp, userId: number) =>
  app.db.select().from(identitySessions).where(eq(identitySessions.user_id, userId));

describe('a logout request from server to server', () => {
  test('informs a site without the browser, before the browser gets its answer', async () => {
    const site = await makeServerSite(testApp, 'Wiki', { sls_binding: 'soap' }, success);
    const { user, browser, sessionIndex } = await enterAll(testApp, site);
    const page = await signOutHere(browser);
    expect(textOf(page.html)).toContain('You are signed out');
    expect(textOf(page.html)).not.toContain('could not be signed out');
    const [request] = received;
    expect(received).toHaveLength(1);
    expect(request?.headers).toMatchObject({
      'content-type': 'text/xml; charset=utf-8',
      soapaction: '"http://www.oasis-open.org/committees/security"',
    });
    const message = readSoap('SAMLRequest', request?.bytes ?? Buffer.alloc(0));
    expect(parseLogoutRequest(verifyMessage(message, await certificatesOfNetwork(testApp)))).toMatchObject({
      nameId: user.email,
      sessionIndexes: [sessionIndex],
      destination: site.sls,
      issuer: `${testOrigin}/saml/northlab/metadata`,
    });
  });

  const own =
    (changes: object = {}): Respond =>
    (response, id, site) =>
      sendXml(response, buildLogoutResponse({ ...responseDraft(id, site), ...changes }));
  const signedBy =
    (signer: () => SigningKey): Respond =>
    (response, id, site) =>
      sendXml(response, buildLogoutResponse(responseDraft(id, site), signer()));

  test.each<[string, boolean, Respond]>([
    ['is signed with the certificate of the site', true, signedBy(() => key)],
    ['is not signed', false, success],
    ['is signed with another key', false, signedBy(() => otherKey)],
  ])('to a site with a certificate counts only if the response verifies: it %s', async (_, isInformed, respond) => {
    const draft = { sls_binding: 'soap', certificate: key.certificate, signed_requests: false } as const;
    const site = await makeServerSite(testApp, 'Wiki', draft, respond);
    const { browser } = await enterAll(testApp, site);
    expect(textOf((await signOutHere(browser)).html).includes('could not be signed out')).toBe(!isInformed);
  });

  test.each<[string, Respond]>([
    ['reports a failure', own({ status: 'Responder' })],
    ['answers another request', own({ inResponseTo: '_another' })],
    ['has another issuer', own({ issuer: 'https://elsewhere.example.org' })],
    ['is for another address', own({ destination: 'https://elsewhere.example.org/slo' })],
    ['is old', own({ issueInstant: new Date(Date.now() - 3_600_000) })],
    ['is a fault', (response) => void response.end(soapFault('Server', 'No'))],
    ['is no XML', (response) => void response.end('fine')],
    ['is empty', (response) => void response.end()],
    ['has a document type', (response) => void response.end('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>')],
    ['has another status', (response) => void response.writeHead(500).end()],
    ['is a redirect', (response) => void response.writeHead(302, { location: soapUrl('/elsewhere') }).end()],
    ['is huge', (response) => void response.end('x'.repeat(10_000_000))],
    ['breaks off', (response) => void response.destroy()],
  ])('does not count if the response %s', async (_, respond) => {
    const site = await makeServerSite(testApp, 'Wiki', { sls_binding: 'soap' }, respond);
    const { browser } = await enterAll(testApp, site);
    expect(textOf((await signOutHere(browser)).html)).toMatch(/You are signed out.*could not be signed out.*Wiki/);
    expect(received.map(({ path }) => path)).not.toContain('/elsewhere');
  });

  test.each([`${testOrigin}/saml/northlab/slo`, `${testOrigin}/saml/northlab/slo/soap`])(
    'may have a response for %s',
    async (destination) => {
      const site = await makeServerSite(testApp, 'Wiki', { sls_binding: 'soap' }, own({ destination }));
      const { browser } = await enterAll(testApp, site);
      expect(textOf((await signOutHere(browser)).html)).not.toContain('could not be signed out');
    },
  );

  test('waits five seconds for all sites together, and not longer for a site that sends its answer slowly', async () => {
    const drip: Respond = (response) => {
      const timer = setInterval(() => response.write(' '), 500);
      response.on('close', () => clearInterval(timer));
    };
    const names = ['One', 'Two', 'Three', 'Four', 'Five'];
    const silent: Site[] = [];
    for (const name of names)
      silent.push(
        await makeServerSite(testApp, name, { sls_binding: 'soap' }, name === 'One' ? drip : () => undefined),
      );
    const { browser } = await enterAll(testApp, ...silent);
    const startedAt = Date.now();
    const page = await signOutHere(browser);
    expect(Date.now() - startedAt).toBeLessThan(9_500);
    for (const name of names) expect(textOf(page.html)).toContain(name);
  });

  test('reaches all sites, at most six at the same time', async () => {
    mostRunning = 0;
    const slow: Respond = (...given) => void setTimeout(() => success(...given), 150);
    const many: Site[] = [];
    for (let place = 0; place < 9; place += 1)
      many.push(await makeServerSite(testApp, `Site ${place}`, { sls_binding: 'soap' }, slow));
    const { browser } = await enterAll(testApp, ...many);
    expect(textOf((await signOutHere(browser)).html)).not.toContain('could not be signed out');
    expect(received).toHaveLength(9);
    expect(mostRunning).toBeGreaterThan(1);
    expect(mostRunning).toBeLessThanOrEqual(6);
  });

  test('is never sent into a private network by default', async () => {
    const site = await makeServerSite(guardedApp, 'Wiki', { sls_binding: 'soap' }, success);
    const { browser } = await enterAll(guardedApp, site);
    expect(textOf((await signOutHere(browser)).html)).toMatch(/could not be signed out.*Wiki/);
    expect(received).toEqual([]);
  });

  test('informs a site whose frame did not answer', async () => {
    const fallback = await makeServerSite(testApp, 'Fallback', {}, success);
    const broken = await makeServerSite(testApp, 'Broken', {}, (response) => void response.writeHead(404).end());
    const { browser } = await enterAll(testApp, fallback, broken);
    const page = await signOutHere(browser);
    expect([...framesOf(page.html).keys()].toSorted()).toEqual(['Broken', 'Fallback']);
    expect(received).toEqual([]);
    const end = await browser.submit(page, { framed: 'yes' });
    expect(textOf(end.html)).toMatch(/could not be signed out.*Broken/);
    expect(textOf(end.html)).not.toContain('Fallback');
    expect(received).toHaveLength(2);
  });

  test('informs the sites of a session that ends in another browser, and the response says whether all are', async () => {
    for (const isComplete of [true, false]) {
      const asking = await makeSite(testApp.db, { site_name: 'Asking' });
      const server = await makeServerSite(testApp, 'Server', {}, success);
      const others = isComplete ? [server] : [server, await makeSite(testApp.db, { site_name: 'Browser only' })];
      const user = await makeUser(testApp.db);
      const browser = testApp.browser();
      const profile = await enter(testApp, browser, asking, user.email);
      for (const site of others) await enter(testApp, browser, site, user.email);
      const provider = await ServiceProvider.of(testApp, asking);
      const page = await testApp.browser().get(await provider.signOutUrl(profile));
      const { xml } = readRedirect(new URL(page.url).search);
      expect(parseLogoutResponse(xml)).toMatchObject({ success: true, partial: !isComplete });
    }
    expect(received).toHaveLength(2);
  });
});

describe('a logout request of a site from its server', () => {
  const ask = (site: Site, changes: object = {}, signer = key) =>
    buildLogoutRequest(
      {
        id: newSamlId(),
        issuer: site.identity,
        destination: `${testOrigin}/saml/northlab/slo/soap`,
        issueInstant: new Date(),
        nameId: { value: 'nobody@northlab.org', format: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress' },
        ...changes,
      },
      signer,
    );
  const send = (payload: string, headers: Record<string, string> = { 'content-type': 'text/xml' }) =>
    testApp.app.inject({ method: 'POST', url: '/saml/northlab/slo/soap', payload, headers });
  const signing = () => ({ certificate: key.certificate, signed_requests: false });
  const nameOf = ({ email }: { email: string }) => ({
    nameId: { value: email, format: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress' },
  });

  test('ends the session, and informs other sites from server to server only', async () => {
    const asking = await makeSite(testApp.db, { site_name: 'Asking', ...signing() });
    const server = await makeServerSite(testApp, 'Server', {}, success);
    const { user, browser, sessionIndex } = await enterAll(testApp, asking, server);
    const answer = await send(soapEnvelope(ask(asking, { ...nameOf(user), sessionIndex })));
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/xml; charset=utf-8']);
    const message = readSoap('SAMLResponse', answer.rawPayload);
    const response = parseLogoutResponse(verifyMessage(message, await certificatesOfNetwork(testApp)));
    expect(response).toMatchObject({ success: true, partial: false, issuer: `${testOrigin}/saml/northlab/metadata` });
    expect(answer.cookies).toEqual([]);
    expect(received).toHaveLength(1);
    expect(await sessionsOf(testApp, user.id)).toEqual([]);
    expect(textOf((await browser.get('/server/saml/login')).html)).toContain('Password');
  });

  test('counts sites that only the browser reaches as not informed', async () => {
    const asking = await makeSite(testApp.db, { site_name: 'Asking', ...signing() });
    const { user } = await enterAll(testApp, asking, await makeSite(testApp.db, { site_name: 'Private' }));
    const answer = await send(soapEnvelope(ask(asking, nameOf(user))));
    expect(parseLogoutResponse(readSoap('SAMLResponse', answer.rawPayload).xml)).toMatchObject({ partial: true });
    expect(answer.payload).not.toContain('Private');
    expect(await sessionsOf(testApp, user.id)).toEqual([]);
  });

  test('is answered with RequestDenied for the session of somebody else', async () => {
    const [asking, other] = [await makeSite(testApp.db, signing()), await makeSite(testApp.db)];
    const { user, sessionIndex } = await enterAll(testApp, other);
    const answer = await send(soapEnvelope(ask(asking, { ...nameOf(user), sessionIndex })));
    const { status } = parseLogoutResponse(readSoap('SAMLResponse', answer.rawPayload).xml);
    expect(status).toMatchObject({ code: 'Requester', subcode: 'RequestDenied' });
    expect(await sessionsOf(testApp, user.id)).toHaveLength(1);
  });

  test('needs a valid signature, the right address and an unused id', async () => {
    const asking = await makeSite(testApp.db, signing());
    const unsigned = await makeSite(testApp.db);
    const { user, sessionIndex } = await enterAll(testApp, asking, unsigned);
    const subject = { ...nameOf(user), sessionIndex };
    const signed = ask(asking, subject);
    const refused = [
      ask(unsigned, subject),
      ask(unsigned, subject).replace(/<ds:Signature.*<\/ds:Signature>/s, ''),
      signed.replace(/<ds:Signature.*<\/ds:Signature>/s, ''),
      ask(asking, subject, otherKey),
      signed.replace(user.email, `x${user.email}`),
      ask(asking, { ...subject, destination: `${testOrigin}/saml/northlab/slo` }),
      ask(asking, { ...subject, issueInstant: new Date(Date.now() - 3_600_000) }),
      ask({ ...asking, identity: 'https://unknown.example.org' }, subject),
    ];
    const before = await testApp.db.$count(logouts);
    for (const xml of refused) {
      const answer = await send(soapEnvelope(xml));
      expect(answer.statusCode).toBeGreaterThanOrEqual(400);
      expect(answer.statusCode).toBeLessThan(500);
      expect(() => readSoap('SAMLResponse', answer.rawPayload)).toThrow();
      expect(answer.payload).toContain('<soap:Fault>');
    }
    expect(await sessionsOf(testApp, user.id)).toHaveLength(1);
    expect(await testApp.db.$count(logouts)).toBe(before);
    expect((await send(soapEnvelope(signed))).statusCode).toBe(200);
    expect((await send(soapEnvelope(signed))).statusCode).toBe(403);
  });

  test.each([
    ['no envelope', '<a/>', 'text/xml', 403],
    ['nothing', '', 'text/xml', 403],
    ['broken XML', '<a', 'text/xml', 403],
    ['an entity', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>', 'text/xml', 403],
    ['a form', 'SAMLRequest=x', 'application/x-www-form-urlencoded', 403],
    ['too much', 'x'.repeat(70_000), 'text/xml', 413],
    ['another type', 'x', 'application/octet-stream', 400],
  ])('with %s is refused', async (_, payload, type, status) => {
    expect((await send(payload, { 'content-type': type })).statusCode).toBe(status);
  });

  test('is the only one that may be XML', () => {
    expect(testApp.app.hasContentTypeParser('text/xml')).toBe(false);
  });

  test('has its address in the metadata', async () => {
    const { html } = await testApp.browser().get('/saml/northlab/metadata');
    expect(html).toMatch(
      /<md:SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:SOAP" Location="http:\/\/localhost:8080\/saml\/northlab\/slo\/soap">/,
    );
  });
});
