import { X509Certificate } from 'node:crypto';
import {
  type ApiError,
  createSigningKey,
  listSigningKeySites,
  listSigningKeys,
  removeSigningKey,
  retireSigningKey,
  SigningAlgorithm,
  stopTryingSigningKey,
  switchAllSites,
  switchSite,
  trySigningKey,
} from '@opensocial/contract';
import { readPost, verifyPostSignature } from '@opensocial/saml';
import { and, desc, eq, sql } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  auditRecords,
  networks,
  signingKeys,
  signingKeyUses,
  sites,
  throttles,
  type users,
} from '../../database/schema.ts';
import type { Browser, Page } from '../../testing/app/browser.ts';
import { makeSite, makeUser, networkNamed, password, signInto } from '../../testing/app/builders.ts';
import { mailsQueuedBy } from '../../testing/app/queued-mails.ts';
import { makeProviderKey, ServiceProvider } from '../../testing/app/service-provider.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';
import { eventually } from '../../testing/machine/eventually.ts';

type User = typeof users.$inferSelect;

let testApp: TestApp;
let north: { id: number };
let owner: User;
let call: ReturnType<TestApp['as']>;
beforeAll(async () => {
  testApp = await buildTestApp();
  north = await networkNamed(testApp.db, 'northlab');
});
beforeEach(async () => {
  const { db } = testApp;
  await db.delete(throttles);
  await db.update(sites).set({ signing_key_id: null });
  await db.delete(sites).where(and(eq(sites.network_id, north.id), eq(sites.kind, 'site')));
  await db.delete(signingKeys).where(and(eq(signingKeys.network_id, north.id), sql`state <> 'current'`));
  owner = await makeUser(db, { owns: ['northlab'] });
  call = await as(owner);
});

const as = async (user: User, at?: Date) => testApp.as(await signInto(testApp.db, testApp.browser(), user, at));
const server = 'northlab';
const list = async () => (await call(listSigningKeys, { params: { server } })).keys;
const keyIn = async (state: 'current' | 'next' | 'retired') => {
  const key = (await list()).find((candidate) => candidate.state === state);
  if (!key) throw new Error(`There is no ${state} key.`);
  return key;
};
/** Some tests create more keys than a network may in a short time. */
const createNext = async (algorithm: SigningAlgorithm = 'ec-p256') => {
  await testApp.db.delete(throttles);
  await call(createSigningKey, { params: { server }, body: { algorithm } });
  return keyIn('next');
};
const moveSite = (key: { id: number }, site: { id: number }) =>
  call(switchSite, { params: { server, key_id: key.id }, body: { site_id: site.id } });
const moveAll = (key: { id: number }) => call(switchAllSites, { params: { server, key_id: key.id } });
const retire = (key: { id: number }) => call(retireSigningKey, { params: { server, key_id: key.id } });
const remove = (key: { id: number }) => call(removeSigningKey, { params: { server, key_id: key.id } });

/** A browser of a person who signs in at sites, with the session that it has. */
const browserOf = async (user: User) => {
  const browser = testApp.browser();
  let isSignedIn = false;
  return async (site: typeof sites.$inferSelect): Promise<Page> => {
    const provider = await ServiceProvider.of(testApp, site);
    const page = await browser.get(await provider.signInUrl());
    if (isSignedIn) return page;
    isSignedIn = true;
    return browser.submit(page, { email: user.email, password });
  };
};

const derOf = (pem: string) => new X509Certificate(pem).raw.toString('base64');

/** The key whose certificate alone verifies the response. */
const signerOf = async (page: Page) => {
  const { xml } = readPost(page.form?.fields ?? {});
  const signers = (await list()).filter(({ certificate }) => {
    try {
      return verifyPostSignature(xml, [derOf(certificate)]) !== '';
    } catch {
      return false;
    }
  });
  expect(signers).toHaveLength(1);
  return signers[0]?.id;
};

const metadata = async (browser: Browser = testApp.browser()) => {
  const answer = await browser.fetch('/saml/northlab/metadata', {}, {});
  const xml = await answer.text();
  return {
    certificates: [...xml.matchAll(/<ds:X509Certificate>([^<]+)</g)].map(([, certificate]) => certificate),
    validUntil: /validUntil="([^"]+)"/.exec(xml)?.[1] ?? '',
    cacheDuration: /cacheDuration="([^"]+)"/.exec(xml)?.[1],
  };
};

describe('§7.10 the metadata of a network', () => {
  test('lists the current key first, then the next one and retired ones', async () => {
    const current = await keyIn('current');
    const next = await createNext();
    const pems = (keys: { certificate: string }[]) => keys.map(({ certificate }) => derOf(certificate));
    expect((await metadata()).certificates).toEqual(pems([current, next]));
    await moveAll(next);
    expect((await metadata()).certificates).toEqual(pems([next, current]));
    const third = await createNext();
    expect((await metadata()).certificates).toEqual(pems([next, third, current]));
    await remove(current);
    expect((await metadata()).certificates).toEqual(pems([next, third]));
  });

  test('is valid until the current and the next certificate have ended, and read again after six hours', async () => {
    const next = await createNext();
    await testApp.db
      .update(signingKeys)
      .set({ not_after: new Date('2027-06-01T00:00:00Z') })
      .where(eq(signingKeys.state, 'current'));
    const { validUntil, cacheDuration } = await metadata();
    expect(validUntil).toBe(next.not_after);
    expect(cacheDuration).toBe('PT6H');
  });

  test('of which all certificates have ended is still valid for a day', async () => {
    const ended = new Date(Date.now() - 86_400_000);
    await testApp.db.update(signingKeys).set({ not_after: ended }).where(eq(signingKeys.network_id, north.id));
    const { validUntil } = await metadata();
    expect(new Date(validUntil).getTime()).toBeGreaterThan(Date.now() + 86_000_000);
    const later = new Date(Date.now() + 400 * 86_400_000);
    await testApp.db.update(signingKeys).set({ not_after: later }).where(eq(signingKeys.network_id, north.id));
  });
});

const rsaAlgorithms = SigningAlgorithm.options.filter((algorithm) => algorithm !== 'ec-p256');

describe('§7.10 a next key', () => {
  test('requested forty times at once is created once, and few keys are generated', async () => {
    const create = () => call(createSigningKey, { params: { server }, body: { algorithm: 'ec-p256' } });
    const outcomes = await Promise.allSettled(Array.from({ length: 40 }, create));
    const codes = outcomes.map((one) => (one.status === 'rejected' ? (one.reason as ApiError).code : 'created'));
    expect(codes.filter((code) => code === 'created')).toHaveLength(1);
    expect(codes.filter((code) => code === 'too_many').length).toBeGreaterThanOrEqual(20);
    expect(new Set(codes)).toEqual(new Set(['created', 'signing_key_exists', 'too_many']));
  });

  test.for(SigningAlgorithm.options)('%s is created, and signs after the switch', async (algorithm) => {
    const next = await createNext(algorithm);
    expect(next).toMatchObject({ algorithm, state: 'next', sites: 0, used_by: 0, tried_by: null, retired_at: null });
    expect(next.fingerprint).toBe(new X509Certificate(next.certificate).fingerprint256);
    const [site, user] = [await makeSite(testApp.db), await makeUser(testApp.db)];
    await moveAll(next);
    expect(await signerOf(await (await browserOf(user))(site))).toBe(next.id);
  });

  // node-saml, which is the service provider here, cannot verify ECDSA.
  test.for(rsaAlgorithms)('%s signs responses that other software accepts', async (algorithm) => {
    const next = await createNext(algorithm);
    await moveAll(next);
    const [site, user] = [await makeSite(testApp.db), await makeUser(testApp.db)];
    const provider = new ServiceProvider(site, [derOf(next.certificate)]);
    const browser = testApp.browser();
    const page = await browser.submit(await browser.get(await provider.signInUrl()), { email: user.email, password });
    expect(await provider.receive(page)).toMatchObject({ nameID: user.email });
  });

  test('is refused while there is one, also at the same moment', async () => {
    const create = () => call(createSigningKey, { params: { server }, body: { algorithm: 'ec-p256' } });
    const outcomes = await Promise.allSettled([create(), create(), create()]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(create()).rejects.toMatchObject({ status: 409, code: 'signing_key_exists' });
    expect((await list()).filter(({ state }) => state === 'next')).toHaveLength(1);
  });

  test('that is of no use is removed', async () => {
    await remove(await createNext());
    expect((await list()).map(({ state }) => state)).toEqual(['current']);
  });
});

describe('§7.10 trying the next key', () => {
  test('signs only the own sign-ins with it, at every site, for one hour', async () => {
    const current = await keyIn('current');
    const next = await createNext();
    const site = await makeSite(testApp.db);
    const mine = await browserOf(owner);
    const theirs = await browserOf(await makeUser(testApp.db, { owns: ['northlab'] }));
    expect(await signerOf(await mine(site))).toBe(current.id);
    await call(trySigningKey, { params: { server, key_id: next.id } });
    expect(await signerOf(await mine(site))).toBe(next.id);
    expect(await signerOf(await theirs(site))).toBe(current.id);
    const tried = await keyIn('next');
    expect(tried.tried_by).toBe(owner.email);
    const minutes = (new Date(tried.tried_until ?? '').getTime() - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(59);
    expect(minutes).toBeLessThanOrEqual(60);
  });

  test('ends after its hour, without a change of a row, and when it is stopped', async () => {
    const current = await keyIn('current');
    const next = await createNext();
    const site = await makeSite(testApp.db);
    const mine = await browserOf(owner);
    await call(trySigningKey, { params: { server, key_id: next.id } });
    expect(await signerOf(await mine(site))).toBe(next.id);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_601_000 });
    onTestFinished(() => void vi.useRealTimers());
    expect(await signerOf(await mine(site))).toBe(current.id);
    expect(await keyIn('next')).toMatchObject({ tried_by: null, tried_until: null });
    vi.useRealTimers();
    await call(trySigningKey, { params: { server, key_id: next.id } });
    expect(await signerOf(await mine(site))).toBe(next.id);
    await call(stopTryingSigningKey, { params: { server, key_id: next.id } });
    expect(await signerOf(await mine(site))).toBe(current.id);
  });

  test('is for the next key only, and ends with the switch', async () => {
    const current = await keyIn('current');
    const next = await createNext();
    await expect(call(trySigningKey, { params: { server, key_id: current.id } })).rejects.toMatchObject({
      code: 'signing_key_state',
    });
    await call(trySigningKey, { params: { server, key_id: next.id } });
    await moveAll(next);
    expect(await keyIn('current')).toMatchObject({ id: next.id, tried_by: null });
  });
});

describe('§7.10 switching', () => {
  test('one site changes the key of that site only, and back', async () => {
    const current = await keyIn('current');
    const next = await createNext();
    const [moved, other] = [await makeSite(testApp.db), await makeSite(testApp.db)];
    const visit = await browserOf(await makeUser(testApp.db));
    expect(await signerOf(await visit(moved))).toBe(current.id);
    await moveSite(next, moved);
    expect(await signerOf(await visit(moved))).toBe(next.id);
    expect(await signerOf(await visit(other))).toBe(current.id);
    expect((await list()).map(({ id, sites: count }) => [id, count])).toEqual([
      [current.id, 1],
      [next.id, 1],
    ]);
    await moveSite(current, moved);
    expect(await signerOf(await visit(moved))).toBe(current.id);
  });

  test('all sites takes back the choices for single sites, and can be taken back', async () => {
    const current = await keyIn('current');
    const next = await createNext();
    const [moved, other] = [await makeSite(testApp.db), await makeSite(testApp.db)];
    const visit = await browserOf(await makeUser(testApp.db));
    await moveSite(next, moved);
    await moveAll(next);
    for (const site of [moved, other]) expect(await signerOf(await visit(site))).toBe(next.id);
    const former = await keyIn('retired');
    expect(former).toMatchObject({ id: current.id, sites: 0 });
    expect(former.retired_at).not.toBeNull();
    await moveAll(former);
    expect(await keyIn('current')).toMatchObject({ id: current.id, retired_at: null });
    expect(await keyIn('next')).toMatchObject({ id: next.id, retired_at: null });
    for (const site of [moved, other]) expect(await signerOf(await visit(site))).toBe(current.id);
  });

  test('back and forth fails no sign-in at a site that has read the metadata', async () => {
    // The service provider of this test verifies RSA only.
    const current = await createNext('rsa-2048');
    await moveAll(current);
    const next = await createNext('rsa-2048');
    const site = await makeSite(testApp.db);
    const provider = new ServiceProvider(site, [derOf(current.certificate), derOf(next.certificate)]);
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    await browser.submit(await browser.get(await provider.signInUrl()), { email: user.email, password });
    const switching = new AbortController();
    const signers = new Set<number | undefined>();
    const visit = async () => {
      while (!switching.signal.aborted) {
        const page = await browser.get(await provider.signInUrl());
        expect(await provider.receive(page)).toMatchObject({ nameID: user.email });
        signers.add(await signerOf(page));
      }
    };
    const visits = [visit(), visit()];
    for (const key of [next, current, next, current, next]) {
      await moveAll(key);
      signers.clear();
      // A slow machine may finish no visit between two switches, so that each key is waited for.
      await eventually(async () => expect(signers).toContain(key.id));
    }
    switching.abort();
    await Promise.all(visits);
  });

  test('back while there is a newer next key retires the current one', async () => {
    const first = await keyIn('current');
    const second = await createNext();
    await moveAll(second);
    const third = await createNext();
    await moveAll(first);
    expect((await list()).map(({ id, state }) => [id, state])).toEqual([
      [first.id, 'current'],
      [third.id, 'next'],
      [second.id, 'retired'],
    ]);
  });

  test('retiring leaves the sites that were not switched with the retired key', async () => {
    const current = await keyIn('current');
    await expect(retire(current)).rejects.toMatchObject({ code: 'signing_key_state' });
    const next = await createNext();
    await expect(retire(next)).rejects.toMatchObject({ code: 'signing_key_state' });
    const [moved, pinned] = [await makeSite(testApp.db), await makeSite(testApp.db)];
    await moveSite(next, moved);
    await retire(current);
    const added = await makeSite(testApp.db);
    const visit = await browserOf(await makeUser(testApp.db));
    expect(await signerOf(await visit(moved))).toBe(next.id);
    expect(await signerOf(await visit(added))).toBe(next.id);
    expect(await signerOf(await visit(pinned))).toBe(current.id);
    await expect(remove(current)).rejects.toMatchObject({ status: 409, code: 'signing_key_used' });
    await moveSite(next, pinned);
    expect(await signerOf(await visit(pinned))).toBe(next.id);
    await remove(current);
    expect(await signerOf(await visit(pinned))).toBe(next.id);
    expect((await list()).map(({ id, state }) => [id, state])).toEqual([[next.id, 'current']]);
  });

  test('the current key can be neither removed nor switched to', async () => {
    const current = await keyIn('current');
    await expect(remove(current)).rejects.toMatchObject({ code: 'signing_key_state' });
    await expect(moveAll(current)).rejects.toMatchObject({ code: 'signing_key_state' });
  });

  test('at the same moment leaves one current key, 20 times', async () => {
    for (let round = 0; round < 20; round += 1) {
      const [current, next] = [await keyIn('current'), await createNext()];
      await Promise.allSettled([moveAll(next), retire(current), remove(next), moveAll(next)]);
      const states = (await list()).map(({ state }) => state);
      expect(states.filter((state) => state === 'current')).toHaveLength(1);
      for (const key of await list()) if (key.state !== 'current') await remove(key);
    }
  });
});

describe('§7.10 access', () => {
  test('keys and sites of another network are not found', async () => {
    const [foreign] = await testApp.db
      .select({ id: signingKeys.id })
      .from(signingKeys)
      .innerJoin(networks, eq(networks.id, signingKeys.network_id))
      .where(eq(networks.name, 'southlab'));
    const key = foreign ?? { id: 0 };
    const site = await makeSite(testApp.db);
    const strange = await makeSite(testApp.db, { network: 'southlab' });
    const next = await createNext();
    for (const attempt of [
      () => moveAll(key),
      () => remove(key),
      () => retire(key),
      () => moveSite(key, site),
      () => moveSite(next, strange),
      () => call(trySigningKey, { params: { server, key_id: key.id } }),
      () => call(switchAllSites, { params: { server: 'southlab', key_id: key.id } }),
    ])
      await expect(attempt()).rejects.toMatchObject({ status: 404 });
    // The database refuses it too.
    await expect(
      testApp.db.update(sites).set({ signing_key_id: key.id }).where(eq(sites.id, site.id)),
    ).rejects.toThrow();
  });

  test('switching, retiring and removing need a fresh sign-in', async () => {
    const current = await keyIn('current');
    const next = await createNext();
    const site = await makeSite(testApp.db);
    call = await as(owner, new Date(Date.now() - 11 * 60_000));
    for (const attempt of [() => moveAll(next), () => moveSite(next, site), () => retire(current), () => remove(next)])
      await expect(attempt()).rejects.toMatchObject({ status: 401, code: 'reauth_required' });
    expect((await list()).map(({ id, state }) => [id, state])).toEqual([
      [current.id, 'current'],
      [next.id, 'next'],
    ]);
  });

  test('changes are recorded, and the other owners are notified', async () => {
    const other = await makeUser(testApp.db, { owns: ['northlab'] });
    const next = await createNext();
    const mails = await mailsQueuedBy(testApp, () => moveAll(next));
    const mail = mails.find(({ to }) => to === other.email);
    expect(mail?.text).toContain(next.fingerprint);
    expect(mail?.text).toContain('http://localhost:8080/sso-servers/northlab/settings');
    expect(mails.map(({ to }) => to)).not.toContain(owner.email);
    const [record] = await testApp.db.select().from(auditRecords).orderBy(desc(auditRecords.id)).limit(1);
    expect(record).toMatchObject({
      actor: owner.email,
      object: 'network',
      description: 'update network signing key',
      new_data: { fingerprint: next.fingerprint, state: 'current' },
    });
    expect(JSON.stringify(record)).not.toContain('private');
  });
});

describe('§7.10 the sites of the keys', () => {
  const siteList = async (changes = {}) => {
    const answer = await call(listSigningKeySites, { params: { server, lastid: 0, ...changes } });
    return answer.sites;
  };

  test('show their key, their last sign-in with each key and their own certificates', async () => {
    const current = await keyIn('current');
    const next = await createNext();
    const { certificate } = await makeProviderKey();
    const site = await makeSite(testApp.db, { certificate, signed_requests: false });
    const visit = await browserOf(await makeUser(testApp.db));
    expect(await siteList()).toMatchObject([{ id: site.id, key_id: current.id, sign_ins: [] }]);
    await visit(site);
    await moveSite(next, site);
    await visit(site);
    const [shown] = await siteList();
    expect(shown).toMatchObject({ id: site.id, domain: site.domain, key_id: next.id });
    expect(shown?.sign_ins.map(({ key_id }) => key_id)).toEqual([next.id, current.id]);
    const ends = new X509Certificate(Buffer.from(certificate, 'base64'));
    const described = { fingerprint: ends.fingerprint256, not_after: ends.validToDate.toISOString() };
    expect(shown?.certificates).toEqual([{ use: 'signing', ...described }]);
    const setEncryption = (encrypts: boolean) =>
      testApp.db
        .update(sites)
        .set({ encrypts, encryption_certificate: certificate, certificate: null })
        .where(eq(sites.id, site.id));
    await setEncryption(true);
    expect((await siteList())[0]?.certificates).toEqual([{ use: 'encryption', ...described }]);
    await setEncryption(false);
    expect((await siteList())[0]?.certificates).toEqual([]);
    expect((await list()).map(({ used_by }) => used_by)).toEqual([1, 1]);
    expect(await siteList({ keyword: 'no-such-site' })).toEqual([]);
  });

  test('a sign-in is recorded once an hour', async () => {
    const current = await keyIn('current');
    const site = await makeSite(testApp.db);
    const visit = await browserOf(await makeUser(testApp.db));
    const readUse = async () => {
      const [use] = await testApp.db
        .select()
        .from(signingKeyUses)
        .where(and(eq(signingKeyUses.site_id, site.id), eq(signingKeyUses.key_id, current.id)));
      return use?.last_used_at;
    };
    await visit(site);
    const first = await readUse();
    expect(first).toBeDefined();
    await visit(site);
    expect(await readUse()).toEqual(first);
  });
});
