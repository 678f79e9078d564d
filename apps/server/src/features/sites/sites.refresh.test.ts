import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import {
  applySiteRefresh,
  getSiteRefresh,
  getSubscriber,
  listSigningKeySites,
  listSites,
  refreshSite,
} from '@opensocial/contract';
import { buildSpMetadata } from '@opensocial/saml';
import { desc, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { auditRecords, refreshNotices, siteRefreshes, sites, throttles, type users } from '../../database/schema.ts';
import { startWorker } from '../../jobs/worker.ts';
import { describeCertificate } from '../../secrets/signing-keys.ts';
import { makeSite, makeUser, networkNamed, signInto } from '../../testing/app/builders.ts';
import { makeEndingKey } from '../../testing/app/ending-key.ts';
import { mailsQueuedBy } from '../../testing/app/queued-mails.ts';
import { makeProviderKey } from '../../testing/app/service-provider.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';
import { claimDueSites } from './sites.polling.queries.ts';
import { refreshDueSites, refreshMetadataTask, reportMetadataTask } from './sites.refresh.jobs.ts';
import { refreshPolls } from './sites.refresh.queries.ts';
import { reportRefreshes } from './sites.refresh.report.service.ts';

type Site = typeof sites.$inferSelect;

/** The documents of the other server by path. A function answers by itself. */
const documents = new Map<string, string | ((request: IncomingMessage, response: ServerResponse) => void)>();
const asked: string[] = [];
let running = 0;
let mostRunning = 0;
const listener = createServer(async (request, response) => {
  const document = documents.get(request.url ?? '');
  asked.push(`${request.url} ${request.headers['if-none-match'] ?? ''}`.trim());
  running += 1;
  mostRunning = Math.max(mostRunning, running);
  await delay(5);
  running -= 1;
  if (typeof document === 'function') return document(request, response);
  if (document === undefined) return response.writeHead(404).end();
  const etag = `"${document.length}"`;
  if (request.headers['if-none-match'] === etag) return response.writeHead(304).end();
  return response.writeHead(200, { etag }).end(document);
});
const address = (path: string) => `http://127.0.0.1:${(listener.address() as AddressInfo).port}${path}`;

let testApp: TestApp;
let north: { id: number };
let owner: typeof users.$inferSelect;
let call: ReturnType<TestApp['as']>;
const key = await makeProviderKey();
const nextKey = await makeProviderKey();
const shortKey = makeEndingKey(40);

beforeAll(async () => {
  testApp = await buildTestApp({ OUTBOUND_PRIVATE: 'allow' });
  north = await networkNamed(testApp.db, 'northlab');
  owner = await makeUser(testApp.db, { owns: ['northlab'] });
  call = testApp.as(await signInto(testApp.db, testApp.browser(), owner));
  await new Promise<void>((ready) => void listener.listen(0, '127.0.0.1', ready));
});
afterAll(() => void listener.close());
beforeEach(async () => {
  await testApp.db.delete(sites).where(eq(sites.kind, 'site'));
  await testApp.db.delete(throttles);
  documents.clear();
  asked.length = 0;
  mostRunning = 0;
});

/** A site whose metadata, at its own path, says the same as its parameters. */
const makeKnownSite = async (draft: Parameters<typeof makeSite>[1] = {}): Promise<Site & { path: string }> => {
  const made = await makeSite(testApp.db, { certificate: key.certificate, signed_requests: true, ...draft });
  const path = `/${made.id}`;
  const metadata_url = made.metadata_url ?? address(path);
  await testApp.db.update(sites).set({ metadata_url }).where(eq(sites.id, made.id));
  documents.set(path, metadataOf(made));
  return { ...made, metadata_url, path };
};
const metadataOf = (site: Site, certificates = [key.certificate], acs = site.acs) =>
  buildSpMetadata({ entityId: site.identity, acsUrl: acs, slsUrl: site.sls ?? '', certificates });
const stored = async (id: number) => (await testApp.db.select().from(sites).where(eq(sites.id, id)))[0];
const stateOf = async (id: number) =>
  (await testApp.db.select().from(siteRefreshes).where(eq(siteRefreshes.site_id, id)))[0];
const setState = (id: number, changes: Partial<typeof siteRefreshes.$inferInsert>) =>
  testApp.db.update(siteRefreshes).set(changes).where(eq(siteRefreshes.site_id, id));
const refresh = (id: number) => call(refreshSite, { params: { site_id: id } });
const apply = (id: number, digest: string, chosen: string[], as = call) =>
  as(applySiteRefresh, { params: { site_id: id }, body: { digest, chosen } });
const textOf = (certificate: string) => expect.stringContaining(describeCertificate(certificate).fingerprint) as string;

describe('§7.11 reading the metadata of a site by hand', () => {
  test('does not propose to trust unsigned messages if the metadata has no certificate', async () => {
    const site = await makeKnownSite({ signed_requests: false });
    documents.set(site.path, metadataOf(site, []).replace('AuthnRequestsSigned="true"', ''));
    expect(await refresh(site.id)).toMatchObject({ failure: '', differences: [] });
  });

  test('finds no difference if there is none, and says when it was read', async () => {
    const site = await makeKnownSite();
    expect(await call(getSiteRefresh, { params: { site_id: site.id } })).toMatchObject({
      metadata_url: site.metadata_url,
      tried_at: null,
      differences: [],
    });
    const answer = await refresh(site.id);
    expect(answer).toMatchObject({ failure: '', differences: [], digest: '' });
    expect(Date.now() - new Date(answer.read_at ?? 0).getTime()).toBeLessThan(10_000);
  });

  test('finds out whether the site verifies ECDSA, also if an earlier version has read the same document', async () => {
    const site = await makeKnownSite();
    const other = await makeKnownSite();
    const list =
      '<md:Extensions><alg:SigningMethod xmlns:alg="urn:oasis:names:tc:SAML:metadata:algsupport" Algorithm="http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256"/></md:Extensions>';
    documents.set(site.path, metadataOf(site).replace(/<md:SPSSODescriptor[^>]*>/, `$&${list}`));
    const verifying = async () => {
      const params = { server: 'northlab', lastid: 0 };
      const { sites: shown } = await call(listSigningKeySites, { params });
      return shown.filter(({ verifies_ecdsa }) => verifies_ecdsa).map(({ id }) => id);
    };
    for (const { id } of [site, other]) expect(await refresh(id)).toMatchObject({ failure: '', differences: [] });
    expect(await verifying()).toEqual([site.id]);
    const found = z.record(z.string(), z.unknown()).parse((await stateOf(site.id))?.found);
    const { verifies_ecdsa: _verifies, ...earlier } = found;
    await setState(site.id, { found: { ...earlier, acs: 'https://other.org/acs' } });
    // What the earlier version has found is still compared.
    const { differences } = await call(getSiteRefresh, { params: { site_id: site.id } });
    expect(differences).toMatchObject([{ field: 'acs' }]);
    expect(await verifying()).toEqual([]);
    await testApp.db.delete(throttles);
    await refresh(site.id);
    expect(await verifying()).toEqual([site.id]);
  });

  test('shows the differences field by field and changes nothing', async () => {
    const site = await makeKnownSite({
      signs: 'response',
      signed_requests: false,
      encryption_certificate: key.certificate,
    });
    const several = (xml: string) =>
      xml
        .replace(
          /<md:AssertionConsumerService.*<\/md:AssertionConsumerService>/,
          [1, 2]
            .map(
              (index) =>
                `<md:AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://new.org/acs${index}" index="${index}"/>`,
            )
            .join(''),
        )
        .replaceAll(`${site.sls}`, 'https://new.org/sls');
    documents.set(site.path, several(metadataOf(site, [nextKey.certificate, shortKey.certificate])));
    const before = await stored(site.id);
    const { differences } = await refresh(site.id);
    expect(differences.map(({ id: _id, ...difference }) => difference)).toEqual([
      { field: 'acs', title: 'SSO ACS URL', before: site.acs, after: 'https://new.org/acs1 (index 1)' },
      { field: 'further_acs', title: 'Further ACS URLs', before: '', after: '2 https://new.org/acs2' },
      {
        field: 'sls',
        title: 'SSO SLS URL',
        before: `${site.sls} (redirect)`,
        after: 'https://new.org/sls (redirect)',
      },
      {
        field: 'certificate_added',
        title: 'Signing certificate that the metadata adds',
        before: '',
        after: textOf(nextKey.certificate),
      },
      {
        field: 'certificate_added',
        title: 'Signing certificate that the metadata adds',
        before: '',
        after: expect.stringMatching(/, valid until \d+ \w+ \d{4} UTC$/) as string,
      },
      {
        field: 'certificate_removed',
        title: 'Signing certificate that the metadata no longer has',
        before: textOf(key.certificate),
        after: '',
      },
      { field: 'signed_requests', title: 'Requests to sign in must be signed too', before: 'No', after: 'Yes' },
      { field: 'signs', title: 'Signature', before: 'Response', after: 'Both' },
      {
        field: 'encryption_certificate',
        title: 'Certificate for encryption',
        before: textOf(key.certificate),
        after: '',
      },
    ]);
    expect(await stored(site.id)).toEqual(before);
  });

  test('reads the entity with the identity of the site from a federation, and compares that one only', async () => {
    const site = await makeKnownSite();
    const others = Array.from({ length: 50 }, (_, index) =>
      buildSpMetadata({
        entityId: `https://o${index}.org`,
        acsUrl: 'https://evil.org/acs',
        slsUrl: '',
        certificates: [],
      }),
    );
    const inner = [...others, metadataOf(site, [nextKey.certificate])].join('');
    documents.set(
      site.path,
      `<md:EntitiesDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata">${inner}</md:EntitiesDescriptor>`,
    );
    const { differences } = await refresh(site.id);
    expect(differences.map(({ field }) => field)).toEqual(['certificate_added', 'certificate_removed']);
  });

  test.for([
    [
      'metadata of another identity',
      (site: Site) => metadataOf({ ...site, identity: 'https://evil.org' }),
      /does not describe/,
    ],
    ['a web page', () => '<!doctype html><html></html>', /^This is a web page/],
    [
      'a document of more than 1 MB',
      (site: Site) => metadataOf(site).replace('</md:SPSSO', `${' '.repeat(1_100_000)}</md:SPSSO`),
      /too large/,
    ],
    [
      'an address that browsers would execute',
      (site: Site) => metadataOf(site, undefined, 'javascript:alert(1)'),
      /cannot be used \(acs\)/,
    ],
    [
      'an ACS without https',
      (site: Site) => metadataOf(site, undefined, 'http://evil.org/acs'),
      /cannot be used \(acs\)/,
    ],
    [
      'expired metadata',
      (site: Site) =>
        metadataOf(site, [nextKey.certificate]).replace(
          '<md:EntityDescriptor',
          '<md:EntityDescriptor validUntil="2020-01-31T00:00:00Z"',
        ),
      /^The metadata expired on 31 January 2020 UTC/,
    ],
    ['nothing', () => undefined, /^The address answered 404/],
  ] as const)('fails with a reason for %s, and leaves what was read before', async ([, documentOf, reason]) => {
    const site = await makeKnownSite();
    documents.set(site.path, metadataOf(site, [nextKey.certificate]));
    const { digest } = await refresh(site.id);
    expect(digest).not.toBe('');
    await testApp.db.delete(throttles);
    const document = documentOf(site);
    if (document === undefined) documents.delete(site.path);
    else documents.set(site.path, document);
    const before = await stored(site.id);
    expect(await refresh(site.id)).toMatchObject({ failure: expect.stringMatching(reason) as string, digest });
    expect(await stored(site.id)).toEqual(before);
    expect((await stateOf(site.id))?.failures).toBe(1);
  });

  test('follows redirects to web addresses only', async () => {
    const site = await makeKnownSite();
    documents.set(site.path, (_request, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end());
    expect((await refresh(site.id)).failure).toMatch(/does not begin with https/);
  });

  test('needs an address', async () => {
    const site = await makeSite(testApp.db);
    await expect(refresh(site.id)).rejects.toMatchObject({ code: 'metadata_url_missing' });
  });

  test('is limited to once a minute for each site', async () => {
    const site = await makeKnownSite();
    await refresh(site.id);
    await expect(refresh(site.id)).rejects.toMatchObject({ status: 429, retryAfter: 60 });
    expect(asked).toHaveLength(1);
  });

  test('is limited for a network, however many sites it has', async () => {
    const site = await makeKnownSite();
    await testApp.db.insert(throttles).values({ key: `metadata:network:${north.id}`, failures: 60 });
    await expect(refresh(site.id)).rejects.toMatchObject({ status: 429 });
    expect(asked).toEqual([]);
  });

  test('is limited for a host, however many networks call it', async () => {
    const site = await makeKnownSite();
    await testApp.db.insert(throttles).values({ key: 'metadata:host:127.0.0.1', failures: 120 });
    await expect(refresh(site.id)).rejects.toMatchObject({ status: 429 });
    expect(asked).toEqual([]);
  });

  test('forgets what was read at a former address', async () => {
    const site = await makeKnownSite();
    documents.set(site.path, metadataOf(site, [nextKey.certificate]));
    await refresh(site.id);
    await testApp.db
      .update(sites)
      .set({ metadata_url: address('/other') })
      .where(eq(sites.id, site.id));
    expect(await call(getSiteRefresh, { params: { site_id: site.id } })).toMatchObject({
      read_at: null,
      differences: [],
    });
  });
});

describe('§7.11 applying differences', () => {
  test('takes over the bindings of the logout, its address for responses and its back channel', async () => {
    const site = await makeKnownSite();
    const endpoint = (binding: string, attributes: string) =>
      `<md:SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:${binding}" ${attributes}/>`;
    const endpoints =
      endpoint('SOAP', 'Location="https://new.org/soap"') +
      endpoint('HTTP-POST', `Location="${site.sls}" ResponseLocation="https://new.org/done"`);
    documents.set(
      site.path,
      metadataOf(site).replaceAll(
        /<md:SingleLogoutService[^>]*>(?:<\/md:SingleLogoutService>)?/g,
        (_, place: number) => (metadataOf(site).indexOf('<md:SingleLogoutService') === place ? endpoints : ''),
      ),
    );
    const { differences, digest } = await refresh(site.id);
    expect(differences).toMatchObject([
      { id: 'sls', after: `${site.sls} (POST), responses to https://new.org/done, back channel https://new.org/soap` },
    ]);
    await apply(site.id, digest, ['sls']);
    expect(await stored(site.id)).toMatchObject({
      sls: site.sls,
      sls_binding: 'post',
      sls_response: 'https://new.org/done',
      sls_soap: 'https://new.org/soap',
    });
    expect((await call(getSiteRefresh, { params: { site_id: site.id } })).differences).toEqual([]);
  });

  const differing = async () => {
    const site = await makeKnownSite();
    documents.set(site.path, metadataOf(site, [nextKey.certificate], 'https://new.org/acs'));
    const { differences, digest } = await refresh(site.id);
    const idOf = (field: string) => differences.find((difference) => difference.field === field)?.id ?? '';
    return { site, digest, idOf };
  };

  test('changes the chosen ones only, is audited, and the other owners are notified of a new ACS', async () => {
    const other = await makeUser(testApp.db, { owns: ['northlab'] });
    const { site, digest, idOf } = await differing();
    const mails = await mailsQueuedBy(testApp, () => apply(site.id, digest, ['acs', idOf('certificate_added')]));
    expect(await stored(site.id)).toMatchObject({
      acs: 'https://new.org/acs',
      sls: site.sls,
      certificate: `${key.certificate}\n${nextKey.certificate}`,
    });
    const [record] = await testApp.db.select().from(auditRecords).orderBy(desc(auditRecords.id)).limit(1);
    expect(record).toMatchObject({ actor: owner.email, action: 'update', old_data: { acs: site.acs } });
    expect(mails.map(({ to, subject }) => [to, subject])).toContainEqual([
      other.email,
      `The SSO ACS URL of ${site.domain} was changed`,
    ]);
    const left = await call(getSiteRefresh, { params: { site_id: site.id } });
    expect(left.differences.map(({ field }) => field)).toEqual(['certificate_removed']);
    expect((await stateOf(site.id))?.differences).toBe(1);
    await apply(
      site.id,
      left.digest,
      left.differences.map(({ id }) => id),
    );
    expect((await stored(site.id))?.certificate).toBe(nextKey.certificate);
    await testApp.db.execute(sql`delete from owners where email = ${other.email}`);
  });

  test('needs a fresh sign-in', async () => {
    const { site, digest } = await differing();
    const hourAgo = new Date(Date.now() - 3_600_000);
    const stale = testApp.as(await signInto(testApp.db, testApp.browser(), owner, hourAgo));
    await expect(apply(site.id, digest, ['acs'], stale)).rejects.toMatchObject({ code: 'reauth_required' });
    expect((await stored(site.id))?.acs).toBe(site.acs);
  });

  test('refuses differences that are not the ones that were shown', async () => {
    const { site, digest } = await differing();
    await testApp.db.delete(throttles);
    documents.set(site.path, metadataOf(site, [nextKey.certificate], 'https://evil.org/acs'));
    await refresh(site.id);
    const refused = { status: 409, code: 'metadata_changed' };
    await expect(apply(site.id, digest, ['acs'])).rejects.toMatchObject(refused);
    const { digest: current } = await call(getSiteRefresh, { params: { site_id: site.id } });
    await expect(apply(site.id, current, ['acs', 'nonsense'])).rejects.toMatchObject(refused);
    expect((await stored(site.id))?.acs).toBe(site.acs);
  });

  test('follows the rules of the form', async () => {
    const { site, digest, idOf } = await differing();
    await expect(apply(site.id, digest, [idOf('certificate_removed')])).rejects.toMatchObject({
      code: 'signature_unverifiable',
    });
    await makeSite(testApp.db, { acs: 'https://new.org/acs' });
    await expect(apply(site.id, digest, ['acs'])).rejects.toMatchObject({ code: 'site_exists' });
  });

  test('refuses metadata that removes the certificate of a site with encryption', async () => {
    const site = await makeKnownSite({ encrypts: true, encryption_certificate: nextKey.certificate });
    const { digest, differences } = await refresh(site.id);
    expect(differences.map(({ id }) => id)).toEqual(['encryption_certificate']);
    await expect(apply(site.id, digest, ['encryption_certificate'])).rejects.toMatchObject({
      code: 'encryption_impossible',
    });
  });
});

describe('§7.11 the daily refresh', () => {
  const run = (options = {}) => refreshDueSites(testApp.parts, options);
  const makeDue = () => testApp.db.update(siteRefreshes).set({ next_at: sql`now()` });

  test('reads every site with an address once a day, and only what has changed', async () => {
    const site = await makeKnownSite();
    await makeSite(testApp.db);
    await run();
    await run();
    expect(asked).toEqual([site.path]);
    const { next_at } = (await stateOf(site.id)) ?? {};
    expect(next_at?.getTime()).toBeGreaterThan(Date.now() + 11 * 3_600_000);
    expect(next_at?.getTime()).toBeLessThan(Date.now() + 37 * 3_600_000);
    await makeDue();
    await run();
    expect(asked[1]).toMatch(new RegExp(`^${site.path} "\\d+"$`));
    expect(await stateOf(site.id)).toMatchObject({ failure: '', differences: 0 });
  });

  test('never changes a site', async () => {
    const site = await makeKnownSite();
    documents.set(site.path, metadataOf(site, [nextKey.certificate], 'https://evil.org/acs'));
    const before = await stored(site.id);
    await run();
    expect(await stored(site.id)).toEqual(before);
    expect((await stateOf(site.id))?.differences).toBe(3);
  });

  test('shows a marker in the list of sites, which disappears when the parameters are corrected', async () => {
    const site = await makeKnownSite();
    const failed = await makeKnownSite();
    documents.set(site.path, metadataOf(site, [key.certificate], 'https://moved.org/acs'));
    documents.delete(failed.path);
    await run();
    await setState(failed.id, { failing_since: new Date(Date.now() - 2 * 86_400_000) });
    const markers = async () => {
      const params = { server_id: north.id, sso_server: 'northlab', lastid: 0 };
      const rows = (await call(listSites, { params })).sites;
      return Object.fromEntries(rows.map((row) => [row.id, row.metadata_state]));
    };
    expect(await markers()).toEqual({ [site.id]: 'changed', [failed.id]: 'failed' });
    const { digest } = await call(getSiteRefresh, { params: { site_id: site.id } });
    await apply(site.id, digest, ['acs']);
    expect(await markers()).toMatchObject({ [site.id]: '' });
  });

  test('reads the address that several sites of a network share with one request', async () => {
    const shared = address('/federation');
    const made = await Promise.all(Array.from({ length: 5 }, () => makeKnownSite({ metadata_url: shared })));
    const inner = made.map((site) => metadataOf(site, [nextKey.certificate])).join('');
    documents.set(
      '/federation',
      `<md:EntitiesDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata">${inner}</md:EntitiesDescriptor>`,
    );
    await run();
    expect(asked).toEqual(['/federation']);
    const states = await testApp.db.select().from(siteRefreshes);
    expect(states.map(({ differences }) => differences)).toEqual([2, 2, 2, 2, 2]);
    expect(new Set(states.map(({ next_at }) => next_at.getTime())).size).toBe(1);
  });

  test('waits longer after each failure, and begins anew after a success', async () => {
    const site = await makeKnownSite();
    const document = documents.get(site.path) ?? '';
    documents.delete(site.path);
    const pauses: number[] = [];
    for (let attempt = 0; attempt < 9; attempt += 1) {
      await run();
      const state = await stateOf(site.id);
      pauses.push(Math.round(((state?.next_at.getTime() ?? 0) - Date.now()) / 3_600_000));
      await makeDue();
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 64, 72, 72]);
    documents.set(site.path, document);
    await run();
    expect(await stateOf(site.id)).toMatchObject({ failures: 0, failure: '', failing_since: null });
  });

  test('does not read an address twice if two servers run at the same moment, and limits concurrency', async () => {
    for (let count = 0; count < 20; count += 1) await makeKnownSite();
    await Promise.all([run(), run(), run()]);
    expect(asked).toHaveLength(20);
    expect(new Set(asked).size).toBe(20);
    expect(mostRunning).toBeLessThanOrEqual(12);
  });

  test('does not claim a site that another server is just claiming', async () => {
    await makeKnownSite();
    const limits = { total: 10, perNetwork: 10, perHost: 10 };
    const { db } = testApp;
    const claims = await db.transaction(async (tx) => {
      const first = await claimDueSites(tx, refreshPolls, limits);
      // It begins before the first claim is committed, and waits for it.
      const second = claimDueSites(db, refreshPolls, limits);
      await expect
        .poll(async () => (await db.execute(sql`select 1 from pg_locks where not granted`)).rowCount)
        .toBeGreaterThan(0);
      return { first, second };
    });
    expect(claims.first).toHaveLength(1);
    expect(await claims.second).toEqual([]);
  });

  test('limits the requests to one host in a run, and networks share them', async () => {
    for (let count = 0; count < 40; count += 1) await makeKnownSite();
    const south = await makeKnownSite({ network: 'southlab' });
    await run();
    expect(asked).toHaveLength(30);
    expect(asked).toContain(south.path);
    expect(mostRunning).toBeLessThanOrEqual(4);
    await run();
    expect(new Set(asked).size).toBe(41);
  });

  test('gives sites back that it has no time for', async () => {
    const site = await makeKnownSite();
    await run({ duration: 0 });
    expect(asked).toEqual([]);
    await run();
    expect(asked).toEqual([site.path]);
  });

  test('is not stopped by an address that does not answer', async () => {
    const silent = await makeKnownSite();
    documents.set(silent.path, () => undefined);
    const other = await makeKnownSite();
    const stop = new AbortController();
    const ended = run({ signal: stop.signal });
    await expect.poll(async () => (await stateOf(other.id))?.read_at ?? null).not.toBeNull();
    stop.abort();
    await ended;
    expect(await stateOf(silent.id)).toMatchObject({ failures: 0, failure: '' });
    listener.closeAllConnections();
  });

  test('reads large federations one after the other, and not too many for a network', async () => {
    const padding = `<!--${' '.repeat(3 * 1024 * 1024)}-->`;
    const large = await Promise.all(Array.from({ length: 3 }, () => makeKnownSite()));
    for (const site of large) documents.set(site.path, padding + metadataOf(site, [nextKey.certificate]));
    await testApp.db.insert(throttles).values({ key: `metadata:large:${north.id}`, failures: 18 });
    await run();
    const states = await testApp.db.select().from(siteRefreshes);
    expect(states.filter(({ differences }) => differences > 0)).toHaveLength(2);
    expect(states.map(({ failure }) => failure)).toContainEqual(expect.stringContaining('larger than 2 MB'));
  });

  test('does not count a large federation that there was no time to read', async () => {
    const padding = `<!--${' '.repeat(3 * 1024 * 1024)}-->`;
    const site = await makeKnownSite();
    documents.set(site.path, (_request, response) =>
      setTimeout(() => response.writeHead(200).end(padding + metadataOf(site, [nextKey.certificate])), 700),
    );
    await run({ duration: 400 });
    expect(asked).toHaveLength(1);
    expect(await testApp.db.select().from(throttles)).toEqual([]);
    expect(await stateOf(site.id)).toMatchObject({ failures: 0, failure: '' });
  });

  test('reads a large federation although slow addresses have taken the time of the run', async () => {
    const [large, slow] = [await makeKnownSite(), await makeKnownSite()];
    documents.set(large.path, `<!--${' '.repeat(3 * 1024 * 1024)}-->${metadataOf(large)}`);
    documents.set(slow.path, (_request, response) => setTimeout(() => response.writeHead(404).end(), 1_700));
    await run({ duration: 1_500 });
    expect(await stateOf(slow.id)).toMatchObject({ failures: 1 });
    expect((await stateOf(large.id))?.read_at).not.toBeNull();
  });

  test('treats the site of a cleared address as one without', async () => {
    const site = await makeKnownSite();
    await run();
    await testApp.db.update(sites).set({ metadata_url: null }).where(eq(sites.id, site.id));
    await run();
    expect(await stateOf(site.id)).toBeUndefined();
  });

  test('takes a hundred of ten thousand due sites of a network in a run', async () => {
    await testApp.db.execute(sql`
      with made as (
        insert into sites (network_id, identity, acs, domain, site_name, metadata_url)
        select ${north.id}, 'https://s' || n || '.org', 'https://s' || n || '.org/acs', 's' || n || '.org', 'S', 'https://s' || n || '.org/m'
        from generate_series(1, 10000) as n returning id, metadata_url)
      insert into site_refreshes (site_id, url, next_at) select id, metadata_url, now() - interval '1 hour' from made`);
    await run({ duration: 0 });
    const claimed = sql`${siteRefreshes.next_at} > now() - interval '30 minutes'`;
    expect(await testApp.db.$count(siteRefreshes, claimed)).toBe(100);
  });
});

describe('§7.11 mails about metadata', () => {
  const report = (now?: Date) => mailsQueuedBy(testApp, () => reportRefreshes(testApp.parts, now));
  const run = () => refreshDueSites(testApp.parts);
  const readAgain = async () => {
    await testApp.db.update(siteRefreshes).set({ next_at: sql`now()` });
    await run();
  };

  test('are sent once about a change, with the values and a link to the panel', async () => {
    const site = await makeKnownSite();
    await run();
    expect(await report()).toEqual([]);
    documents.set(site.path, metadataOf(site, [key.certificate, shortKey.certificate], 'https://new.org/acs'));
    await readAgain();
    const mails = await report();
    expect(mails.map(({ to }) => to)).toEqual([owner.email]);
    expect(mails[0]?.subject).toBe(`The metadata of ${site.domain} needs your attention`);
    for (const text of [mails[0]?.text, mails[0]?.html]) {
      expect(text).toContain(`The metadata of ${site.domain} has changed:`);
      expect(text).toContain(`SSO ACS URL: https://new.org/acs (stored here: ${site.acs})`);
      expect(text).toContain(describeCertificate(shortKey.certificate).fingerprint);
      expect(text).toContain('Nothing was changed.');
      expect(text).toContain(`http://localhost:8080/sso-servers/northlab/sites/${site.domain}/${site.id}/metadata`);
    }
    await readAgain();
    expect(await report()).toEqual([]);
    documents.set(site.path, metadataOf(site, [key.certificate, shortKey.certificate], 'https://newer.org/acs'));
    await readAgain();
    expect(await report()).toHaveLength(1);
    // The first difference again.
    documents.set(site.path, metadataOf(site, [key.certificate, shortKey.certificate], 'https://new.org/acs'));
    await readAgain();
    expect(await report()).toEqual([]);
  });

  test('are one mail for all sites of a network, to its owners only', async () => {
    const south = await makeUser(testApp.db, { network: 'southlab', owns: ['southlab'] });
    const made = [await makeKnownSite(), await makeKnownSite(), await makeKnownSite({ network: 'southlab' })];
    for (const site of made) documents.set(site.path, metadataOf(site, [key.certificate], `${site.acs}/new`));
    await run();
    const mails = await report();
    expect(mails.map(({ to }) => to).toSorted()).toEqual([owner.email, south.email].toSorted());
    const [own, foreign] = [owner.email, south.email].map((email) => mails.find(({ to }) => to === email)?.text);
    for (const { domain } of made.slice(0, 2)) expect(own).toContain(domain);
    expect(own).not.toContain(made[2]?.domain);
    expect(foreign).toContain(made[2]?.domain);
  });

  test('are not sent twice by two servers at the same moment', async () => {
    const site = await makeKnownSite();
    documents.set(site.path, metadataOf(site, [nextKey.certificate]));
    await run();
    const mails = await mailsQueuedBy(testApp, () =>
      Promise.all(Array.from({ length: 5 }, () => reportRefreshes(testApp.parts))),
    );
    expect(mails).toHaveLength(1);
  });

  test('are sent once if metadata cannot be read for seven days', async () => {
    const site = await makeKnownSite();
    documents.delete(site.path);
    await run();
    const since = (await stateOf(site.id))?.failing_since?.getTime() ?? 0;
    expect(await report(new Date(since + 6.9 * 86_400_000))).toEqual([]);
    const [mail, second] = await report(new Date(since + 7 * 86_400_000));
    expect(second).toBeUndefined();
    expect(mail?.text).toMatch(/could not be read since \d+ \w+ \d{4} UTC\. The address answered 404\./);
    expect(await report(new Date(since + 9 * 86_400_000))).toEqual([]);
  });

  test('are sent once if metadata expires, also if the other server still offers it', async () => {
    const site = await makeKnownSite();
    const soon = new Date(Date.now() + 86_400_000);
    documents.set(
      site.path,
      metadataOf(site).replace('<md:EntityDescriptor', `<md:EntityDescriptor validUntil="${soon.toISOString()}"`),
    );
    await run();
    expect(await report()).toEqual([]);
    const later = new Date(soon.getTime() + 1_000);
    const [mail] = await report(later);
    expect(mail?.text).toContain(`The metadata of ${site.domain} expired on `);
    expect(await report(later)).toEqual([]);
    await setState(site.id, { valid_until: new Date(Date.now() - 1_000) });
    await readAgain();
    expect((await stateOf(site.id))?.failure).toMatch(/^The metadata expired on .* UTC\.$/);
  });

  test('show hostile values as short, single lines of text', async () => {
    const site = await makeKnownSite();
    const hostile = `https://evil.org/&lt;img src=x&gt;&quot;\u202E${'x'.repeat(1_500)}`;
    documents.set(
      site.path,
      metadataOf(site)
        .replaceAll(site.acs, hostile)
        .replaceAll(site.sls ?? '', 'https://evil.org/a&#10;Subject: b'),
    );
    await run();
    const [mail] = await report();
    expect(mail?.text).toContain('https://evil.org/<img src=x>"');
    expect(mail?.html).toContain('https://evil.org/&lt;img src=x&gt;&quot;');
    for (const text of [mail?.text ?? '', mail?.html ?? '']) {
      expect(text).not.toContain('\u202E');
      expect(text).not.toContain('\nSubject');
      expect(text).not.toContain('x'.repeat(200));
    }
    expect(mail?.html).not.toContain('<img');
  });

  test('and the reading are tasks of the queue', async () => {
    const site = await makeKnownSite();
    documents.set(site.path, metadataOf(site, [nextKey.certificate]));
    const { db, parts, pool } = testApp;
    const tasks = { refresh_metadata: refreshMetadataTask(parts), report_metadata: reportMetadataTask(parts) };
    const mails = await mailsQueuedBy(testApp, async () => {
      const worker = await startWorker(pool, { tasks, sweep: async () => undefined, log: parts.log });
      await db.execute(sql`select graphile_worker.add_job('refresh_metadata')`);
      await expect.poll(async () => (await stateOf(site.id))?.differences, { timeout: 90_000 }).toBe(2);
      await parts.jobs.reportMetadata(db);
      await expect.poll(() => db.$count(refreshNotices), { timeout: 90_000 }).toBe(1);
      await worker.stop();
    });
    expect(mails.map(({ to }) => to)).toEqual([owner.email]);
  });
});

test('§7.11 the address of the metadata is a parameter of the site', async () => {
  const site = await makeKnownSite();
  const found = await call(getSubscriber, { params: { site_id: site.id, server_name: 'northlab' } });
  expect(found.metadata_url).toBe(site.metadata_url);
});
