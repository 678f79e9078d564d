import { buildLogoutRequest, nameIdFormats, newSamlId, redirectUrl } from '@opensocial/saml';
import { eq, isNull } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { logouts, samlReplays, signIns } from '../../../database/schema.ts';
import { createBudgets } from '../../../http/budgets.ts';
import { textOf } from '../../../testing/app/browser.ts';
import { makeSite, makeUser, password } from '../../../testing/app/builders.ts';
import { ServiceProvider } from '../../../testing/app/service-provider.ts';
import { buildTestApp, type TestApp } from '../../../testing/app/test-app.ts';
import { testOrigin } from '../../../testing/app/test-parts.ts';
import { deleteStaleSignIns } from '../flow/cleanup.queries.ts';

const burst = 600;

let testApp: TestApp;
let site: Awaited<ReturnType<typeof makeSite>>;
let start: string;
beforeEach(async () => {
  testApp = await buildTestApp();
  // The clock stands still, so that buckets do not refill.
  Object.assign(
    testApp.parts.budgets,
    createBudgets(() => 0),
  );
  site = await makeSite(testApp.db);
  start = `/saml/northlab/start/${site.id}`;
});

const ask = (url: string, address = '198.51.100.1') =>
  testApp.app.inject({ url, remoteAddress: address, headers: { host: 'localhost:8080' } });

/** An unsigned logout request, which anybody can write. */
const logoutUrl = () => {
  const location = `${testOrigin}/saml/northlab/slo`;
  const xml = buildLogoutRequest({
    id: newSamlId(),
    issuer: site.identity,
    destination: location,
    issueInstant: new Date(),
    notOnOrAfter: new Date(Date.now() + 300_000),
    nameId: { value: 'ana@northlab.org', format: nameIdFormats.emailAddress },
    sessionIndex: undefined,
  });
  const { pathname, search } = new URL(redirectUrl({ location, kind: 'SAMLRequest', xml }));
  return pathname + search;
};

/** Runs a few at a time, because each needs a connection to the database. */
const statusesOf = async (count: number, send: () => ReturnType<typeof ask>) => {
  const counted: Record<number, number> = {};
  for (let sent = 0; sent < count; sent += 25) {
    const answers = await Promise.all(Array.from({ length: Math.min(25, count - sent) }, send));
    for (const { statusCode } of answers) counted[statusCode] = (counted[statusCode] ?? 0) + 1;
  }
  return counted;
};

describe('strangers', () => {
  test('can begin a limited number of sign-ins from one address, and insert no more rows', async () => {
    expect(await statusesOf(burst + 50, () => ask(start))).toEqual({ 303: burst, 429: 50 });
    expect(await testApp.db.$count(signIns)).toBe(burst);
    const refused = await ask(start);
    expect(refused.headers['retry-after']).toBe('1');
    expect(refused.headers['content-type']).toContain('text/html');
    expect(textOf(refused.payload)).toContain('Too many sign-ins right now');
    expect(textOf(refused.payload)).toContain('Please wait a moment, then try again.');
    expect((await ask(start, '198.51.100.2')).statusCode).toBe(303);
  });

  test('can begin a limited number of logouts, and insert no more rows', async () => {
    expect(await statusesOf(burst + 50, () => ask(logoutUrl()))).toMatchObject({ 429: 50 });
    expect(await testApp.db.$count(logouts)).toBe(burst);
    expect(await testApp.db.$count(samlReplays)).toBe(burst);
    expect(textOf((await ask(logoutUrl())).payload)).toContain('Too many sign-outs right now');
  });
});

describe('a person who has signed in before', () => {
  test('can sign in and out after strangers at the same address have used up the budget', async () => {
    const user = await makeUser(testApp.db);
    const provider = await ServiceProvider.of(testApp, site);
    const browser = testApp.browser();
    const page = await browser.submit(await browser.get(start), { email: user.email, password });
    const profile = await provider.receive(page);
    await statusesOf(burst, () => ask(start, '127.0.0.1'));
    await statusesOf(burst + 1, () => ask(logoutUrl(), '127.0.0.1'));
    expect((await testApp.browser().get(start)).status).toBe(429);
    expect((await browser.get(await provider.signOutUrl(profile))).status).toBe(303);
    expect(browser.cookies.has('opensocial_identity')).toBe(false);
    expect((await browser.get(start)).status).toBe(200);
  });
});

describe('the cleanup', () => {
  test('keeps the newest anonymous sign-ins, and all others', async () => {
    const user = await makeUser(testApp.db);
    for (let visit = 0; visit < 6; visit += 1) await ask(start);
    const [oldest] = await testApp.db.select().from(signIns).orderBy(signIns.id);
    await testApp.db
      .update(signIns)
      .set({ user_id: user.id })
      .where(eq(signIns.id, oldest?.id ?? 0));
    await deleteStaleSignIns(testApp.parts, { anonymous: 3 });
    expect(await testApp.db.$count(signIns, isNull(signIns.user_id))).toBe(3);
    expect(await testApp.db.$count(signIns)).toBe(4);
  });
});
