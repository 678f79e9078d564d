import { setUserMode } from '@opensocial/contract';
import { desc, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { loginLog } from '../../../database/schema.ts';
import { newUid } from '../../../secrets/tokens.ts';
import type { Browser } from '../../../testing/app/browser.ts';
import { makeSite, makeUser, password, signInto } from '../../../testing/app/builders.ts';
import { buildTestApp, type TestApp } from '../../../testing/app/test-app.ts';

let app: TestApp;
let start: string;

beforeAll(async () => {
  app = await buildTestApp({ TRUST_PROXY: '127.0.0.1' });
  start = `/saml/northlab/start/${(await makeSite(app.db)).id}`;
});

/** One attempt from an address of its own, so that attempts do not share the limit of an address. */
const tryFrom = async (address: string, browser: Browser, email: string, given = password) => {
  const headers = { 'x-forwarded-for': address };
  const page = await browser.get(start, headers);
  return browser.post(page.form?.action ?? '', { ...page.form?.fields, email, password: given }, headers);
};

const lastReason = async (userId: number) => {
  const ofUser = eq(loginLog.user_id, userId);
  const [line] = await app.db.select().from(loginLog).where(ofUser).orderBy(desc(loginLog.id)).limit(1);
  return line?.reason;
};

/** Ten failed attempts lock an address, and five times as many lock the account. */
const lock = async (email: string) => {
  for (let guess = 0; guess < 50; guess += 1) await tryFrom(`198.51.100.${guess % 5}`, app.browser(), email, 'a guess');
};

const countHashings = async () =>
  Number(/^opensocial_password_hashings_total (\d+)$/m.exec(await app.app.metrics.metrics())?.[1]);

describe('§2.1 a refused sign-in', () => {
  test('sends the same bytes after the same work for every cause', async () => {
    const known = await makeUser(app.db);
    const disabled = await makeUser(app.db, { user_mode: 'Disable' });
    const unconfirmed = await makeUser(app.db, { status: 'NonConfirmed' });
    const passwordless = await makeUser(app.db, { password_hash: null });
    const locked = await makeUser(app.db);
    await lock(locked.email);
    const causes = [
      ['wrong password', known.email, 'a wrong one'],
      ['unknown address', `${newUid()}@northlab.org`, password],
      ['disabled', disabled.email, password],
      ['unconfirmed', unconfirmed.email, password],
      ['without a password', passwordless.email, password],
      ['locked', locked.email, password],
    ] as const;
    const answers: [string, unknown][] = [];
    for (const [cause, email, given] of causes) {
      const before = await countHashings();
      const { status, html, url, headers } = await tryFrom('203.0.113.1', app.browser(), email, given);
      const hashings = (await countHashings()) - before;
      const drawn = [/name="csrf" value="([^"]+)"/, /&quot;challenge&quot;:&quot;([^&]+)/];
      const own = [url.split('/').at(-1) ?? '', ...drawn.map((part) => part.exec(html)?.[1] ?? ''), email];
      const masked = own.reduce((text, part) => text.replaceAll(part, '…'), html);
      const { date: _, ...rest } = headers;
      answers.push([cause, { status, hashings, masked, headers: rest }]);
    }
    const [[, first] = []] = answers;
    expect(first).toMatchObject({ status: 401, hashings: 1, masked: expect.stringContaining('is not right') });
    for (const [cause, answer] of answers) expect(answer, cause).toEqual(first);
    expect(await lastReason(locked.id)).toBe('account locked');
    expect(await lastReason(disabled.id)).toBe('account disabled');
  });

  test('of a stranger locks the account only at the address of the stranger, after any number of attempts', async () => {
    const user = await makeUser(app.db);
    for (let guess = 0; guess < 60; guess += 1) await tryFrom('198.51.100.77', app.browser(), user.email, 'a guess');
    expect((await tryFrom('198.51.100.77', app.browser(), user.email)).status).toBe(401);
    expect(await lastReason(user.id)).toBe('account locked');
    expect((await tryFrom('192.0.2.77', app.browser(), user.email)).form?.fields).toHaveProperty('SAMLResponse');
  });

  test('from fifty addresses locks the account for unknown browsers but not for a known one, and a network owner can unlock it', async () => {
    const user = await makeUser(app.db);
    const own = app.browser();
    expect((await tryFrom('192.0.2.1', own, user.email)).form?.fields).toHaveProperty('SAMLResponse');
    // With more concurrent attempts at one account, some would be refused as busy.
    for (const first of [100, 125]) {
      const attack = Array.from({ length: 25 }, (_, place) =>
        tryFrom(`198.51.100.${place + first}`, app.browser(), user.email, 'a guess'),
      );
      for (const { status } of await Promise.all(attack)) expect(status).toBe(401);
    }

    const unknown = () => tryFrom('192.0.2.1', app.browser(), user.email);
    expect((await unknown()).status).toBe(401);
    expect(await lastReason(user.id)).toBe('account locked');
    own.cookies.delete('opensocial_identity');
    expect((await tryFrom('192.0.2.1', own, user.email)).form?.fields).toHaveProperty('SAMLResponse');
    expect((await unknown()).status).toBe(401);

    const owner = await signInto(app.db, app.browser(), await makeUser(app.db, { owns: ['northlab'] }));
    await app.as(owner)(setUserMode, { params: { userId: user.id, mode: 'Active' } });
    expect((await unknown()).form?.fields).toHaveProperty('SAMLResponse');
  });
});
