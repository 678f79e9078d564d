import * as argon2 from '@node-rs/argon2';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { loginLog, passwordHistory, throttles, users } from '../../../database/schema.ts';
import { admitHashing, isOutdated } from '../../../secrets/passwords.ts';
import { type Browser, type Page, textOf } from '../../../testing/app/browser.ts';
import { makeSite, makeUser, password } from '../../../testing/app/builders.ts';
import { buildTestApp, type TestApp } from '../../../testing/app/test-app.ts';
import { renewHash } from '../../users/users.rehash.service.ts';

let testApp: TestApp;
let start: string;
beforeAll(async () => {
  testApp = await buildTestApp();
  start = `/saml/northlab/start/${(await makeSite(testApp.db)).id}`;
});

const open = (browser: Browser): Promise<Page> => browser.get(start);
const rowOf = async (id: number) => (await testApp.db.select().from(users).where(eq(users.id, id)))[0];

/** Fills the queue for unknown clients until the work is done. */
const whileFull = async <T>(work: () => Promise<T>): Promise<T> => {
  const hold = Promise.withResolvers<void>();
  const held = Array.from({ length: 64 }, (_, index) =>
    admitHashing({ address: `held ${index}`, account: `held ${index}`, isKnownDevice: false }, () => hold.promise),
  );
  try {
    return await work();
  } finally {
    hold.resolve();
    await Promise.all(held);
  }
};

describe('a sign-in while the hashing queue is full', () => {
  test('is refused at once, keeps the typed email, and counts no attempt', async () => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const page = await open(browser);
    const before = await testApp.db.$count(throttles);
    const busy = await whileFull(() => browser.submit(page, { email: user.email, password }));
    expect(busy.status).toBe(503);
    expect(busy.headers['retry-after']).toBe('2');
    expect(textOf(busy.html)).toContain('Too many people are signing in right now. Please try again in a few seconds.');
    expect(busy.html).toContain(`value="${user.email}"`);
    expect(busy.html).not.toContain(password);
    expect(await testApp.db.$count(throttles)).toBe(before);
    expect(await testApp.db.$count(loginLog, eq(loginLog.user_id, user.id))).toBe(0);
    expect((await browser.submit(busy, { email: user.email, password })).form?.fields['SAMLResponse']).toBeTruthy();
  });

  test('is admitted from a device that is known for this account, and for no other account', async () => {
    const [user, other] = [await makeUser(testApp.db), await makeUser(testApp.db)];
    const browser = testApp.browser();
    await browser.submit(await open(browser), { email: user.email, password });
    browser.cookies.delete('opensocial_identity');
    const [own, foreign] = [await open(browser), await open(browser)];
    await whileFull(async () => {
      expect((await browser.submit(foreign, { email: other.email, password })).status).toBe(503);
      expect((await browser.submit(own, { email: user.email, password })).form?.fields['SAMLResponse']).toBeTruthy();
    });
  });
});

describe('a hash with old parameters', () => {
  const former = () => argon2.hash(password, { memoryCost: 8_192, timeCost: 1, parallelism: 1 });

  test('is replaced at the next sign-in, and nothing else changes', async () => {
    const user = await makeUser(testApp.db, { password_hash: await former() });
    const browser = testApp.browser();
    await browser.submit(await open(browser), { email: user.email, password: 'a guess' });
    expect(await rowOf(user.id)).toEqual(user);
    await browser.submit(await open(browser), { email: user.email, password });
    const renewed = await rowOf(user.id);
    expect(isOutdated(renewed?.password_hash ?? '')).toBe(false);
    expect(await argon2.verify(renewed?.password_hash ?? '', password)).toBe(true);
    expect(renewed).toMatchObject({
      credentials_at: user.credentials_at,
      password_changed_at: user.password_changed_at,
    });
    expect(await testApp.db.$count(passwordHistory, eq(passwordHistory.user_id, user.id))).toBe(0);
    const again = testApp.browser();
    await again.submit(await open(again), { email: user.email, password });
    expect((await rowOf(user.id))?.password_hash).toBe(renewed?.password_hash);
  });

  test('is not replaced if the password was changed in the meantime', async () => {
    const user = await makeUser(testApp.db, { password_hash: 'changed meanwhile' });
    await renewHash(testApp.db, { id: user.id, passwordHash: await former() }, password);
    expect((await rowOf(user.id))?.password_hash).toBe('changed meanwhile');
  });
});
