import { listOidcKeys, replaceOidcKey } from '@opensocial/contract';
import { and, desc, eq, sql } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { auditRecords, oidcKeys, throttles, type users } from '../../database/schema.ts';
import { makeUser, networkNamed, password, signInto } from '../../testing/app/builders.ts';
import { mailsQueuedBy } from '../../testing/app/queued-mails.ts';
import { RelyingParty } from '../../testing/app/relying-party.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';
import { promoteDueKeys } from '../sign-in/sign-in.service.ts';

const server = 'northlab';

let testApp: TestApp;
let north: { id: number };
let owner: typeof users.$inferSelect;
let call: ReturnType<TestApp['as']>;
beforeAll(async () => {
  testApp = await buildTestApp();
  north = await networkNamed(testApp.db, server);
});
beforeEach(async () => {
  await testApp.db.delete(throttles);
  await testApp.db.delete(oidcKeys);
  await testApp.db.execute(sql`update networks set name = name`);
  owner = await makeUser(testApp.db, { owns: [server] });
  call = testApp.as(await signInto(testApp.db, testApp.browser(), owner));
});

const list = async () => (await call(listOidcKeys, { params: { server } })).keys;
const statesOf = async (algorithm: string) =>
  (await list()).filter((key) => key.algorithm === algorithm).map(({ state }) => state);
const replace = (is_compromised = false) =>
  call(replaceOidcKey, { params: { server }, body: { algorithm: 'RS256', is_compromised } });
const age = (state: 'next' | 'retired', hours: number) =>
  testApp.db
    .update(oidcKeys)
    .set({
      created_at: sql`created_at - make_interval(hours => ${hours})`,
      retired_at: sql`retired_at - make_interval(hours => ${hours})`,
    })
    .where(and(eq(oidcKeys.network_id, north.id), eq(oidcKeys.state, state)));
const published = async (): Promise<{ kid: string }[]> =>
  (await testApp.app.inject({ url: `/oidc/${server}/jwks` })).json().keys;

/** Signs a person in, and returns the id of the key that signed the ID token. */
const signOn = async () => {
  const party = await RelyingParty.of(testApp);
  const { email } = await makeUser(testApp.db);
  const tokens = await party.signIn(testApp.browser(), { email, password });
  return (JSON.parse(Buffer.from(tokens.id_token?.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }).kid;
};

describe('the keys for OpenID Connect', () => {
  test('are made when they are first needed, one for each algorithm, also by two requests at once', async () => {
    const [one, other] = await Promise.all([published(), published()]);
    expect(one).toEqual(other);
    expect((await list()).map(({ algorithm, state }) => [algorithm, state])).toEqual([
      ['RS256', 'current'],
      ['ES256', 'current'],
    ]);
    expect(JSON.stringify(one)).not.toMatch(/"(?:d|p|q|dp|dq|qi)":/);
  });

  test('are replaced: published first, signing a day later, and published for a month afterwards', async () => {
    const former = await signOn();
    await replace();
    expect(await statesOf('RS256')).toEqual(['current', 'next']);
    expect(await published()).toHaveLength(3);
    expect(await signOn()).toBe(former);
    await age('next', 23);
    await promoteDueKeys(testApp.parts);
    expect(await signOn()).toBe(former);
    await age('next', 2);
    await promoteDueKeys(testApp.parts);
    expect(await statesOf('RS256')).toEqual(['retired', 'current']);
    expect(await signOn()).not.toBe(former);
    expect((await published()).map(({ kid }) => kid)).toContain(former);
    await age('retired', 31 * 24);
    await promoteDueKeys(testApp.parts);
    expect((await published()).map(({ kid }) => kid)).not.toContain(former);
  });

  test('that are compromised are removed at once, with one that waits', async () => {
    const former = await signOn();
    await replace();
    await replace(true);
    expect(await statesOf('RS256')).toEqual(['current']);
    expect((await published()).map(({ kid }) => kid)).not.toContain(former);
    expect(await signOn()).not.toBe(former);
  });

  test('cannot be replaced twice at a time, and each change is audited and mailed to the other owners', async () => {
    const other = await makeUser(testApp.db, { owns: [server] });
    const mails = await mailsQueuedBy(testApp, () => replace());
    expect(mails.map(({ to }) => to)).toContain(other.email);
    await expect(replace()).rejects.toMatchObject({ code: 'signing_key_exists' });
    const [record] = await testApp.db.select().from(auditRecords).orderBy(desc(auditRecords.id)).limit(1);
    expect(record).toMatchObject({ description: 'update RS256 key for OpenID Connect' });
    expect(JSON.stringify(record)).not.toContain('private');
  });

  test('cannot be replaced after an old sign-in', async () => {
    const old = await signInto(testApp.db, testApp.browser(), owner, new Date(Date.now() - 3_600_000));
    const body = { algorithm: 'RS256' as const, is_compromised: true };
    await expect(testApp.as(old)(replaceOidcKey, { params: { server }, body })).rejects.toMatchObject({
      code: 'reauth_required',
    });
  });
});
