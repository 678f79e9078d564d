import {
  createRecoveryCodes,
  disableMailMfa,
  enableMailMfa,
  getMfaSecret,
  getMfaStatus,
  getProfile,
  getSession,
  removeMfa,
  resetMfa,
  submitToken,
} from '@opensocial/contract';
import { eq, sql } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { auditRecords, consoleSessions, emailMfaCodes, pendingTotp, throttles, users } from '../../database/schema.ts';
import { makeUser, password, signInto } from '../../testing/app/builders.ts';
import { mailsQueuedBy } from '../../testing/app/queued-mails.ts';
import { runWhileLocked } from '../../testing/app/sign-in-pages.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';
import { testOrigin } from '../../testing/app/test-parts.ts';
import { codeOf, wrongCode } from '../../testing/services/authenticator.ts';
import { beginTotp, proveRecoveryCode } from './mfa.service.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await buildTestApp({ SMTP_URL: 'smtp://127.0.0.1:25' });
});
beforeEach(() => testApp.db.delete(throttles));

const signedIn = async () => {
  const user = await makeUser(testApp.db);
  const browser = await signInto(testApp.db, testApp.browser(), user);
  const call = testApp.as(browser);
  const own = { params: { username: user.email } };
  return {
    user,
    browser,
    call,
    own,
    email: { email: user.email },
    account: { id: user.id, email: user.email },
    status: () => call(getMfaStatus, own),
    isOn: async () =>
      (await testApp.db.select({ isOn: users.email_mfa }).from(users).where(eq(users.id, user.id)))[0]?.isOn,
    /** Requests a mail with the code that turns on email codes. */
    codeFor: async () => {
      const [mail] = await mailsQueuedBy(testApp, () =>
        call(enableMailMfa, { body: { id: user.id, email: user.email } }),
      );
      return codeIn(mail?.text);
    },
    /** Another browser that is signed in to the same account. */
    elsewhere: async () => testApp.as(await signInto(testApp.db, testApp.browser(), user)),
    grownOld: () =>
      testApp.db
        .update(consoleSessions)
        .set({ authenticated_at: new Date(Date.now() - 11 * 60_000) })
        .where(eq(consoleSessions.user_id, user.id)),
  };
};

const withAuthenticator = async () => {
  const person = await signedIn();
  const { key } = await person.call(getMfaSecret, person.own);
  const answer = await person.call(submitToken, { body: { secret: key, token: codeOf(key), ...person.email } });
  if (answer === 'FALSE') throw new Error('The authenticator app was not set up.');
  return { ...person, key, codes: answer.recovery_codes };
};

const codeIn = (text = ''): string => /\b\d{6}\b/.exec(text)?.[0] ?? '';

const outcomeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (answer) => answer,
    (error: { code: string }) => error.code,
  );

const count = <T>(all: T[], wanted: T): number => all.filter((one) => one === wanted).length;

describe('§7.8 setting up TOTP', () => {
  test('shows a key and its QR code, and activates it with a code', async () => {
    const { call, own, email, status, user } = await signedIn();
    expect(await status()).toBe('inactive');
    const { key, img } = await call(getMfaSecret, own);
    expect(key).toMatch(/^[A-Z2-7]{32}$/);
    expect(img).toMatch(/^data:image\/svg\+xml;base64,/);
    expect(await call(submitToken, { body: { secret: key, token: wrongCode(key), ...email } })).toBe('FALSE');
    expect(await status()).toBe('inactive');
    const mails = await mailsQueuedBy(testApp, async () => {
      expect(await call(submitToken, { body: { secret: key, token: codeOf(key), ...email } })).toMatchObject({
        message: 'TOTP MFA Setup Complete',
      });
    });
    expect(mails).toMatchObject([{ to: user.email, subject: 'Your second factor was changed' }]);
    expect(await status()).toBe('active');
  });

  test('returns ten recovery codes, once, each valid once', async () => {
    const { user, call, own, codes } = await withAuthenticator();
    expect(new Set(codes).size).toBe(10);
    expect((await call(getProfile, own)).recovery_codes).toBe(10);
    const [code = ''] = codes;
    expect(await proveRecoveryCode(testApp.parts, { userId: user.id, device: undefined }, code.toUpperCase())).toBe(
      true,
    );
    expect(await proveRecoveryCode(testApp.parts, { userId: user.id, device: undefined }, code)).toBe(false);
    expect((await call(getProfile, own)).recovery_codes).toBe(9);
  });

  test('a newer key replaces the one before', async () => {
    const { call, own, email } = await signedIn();
    const { key: first } = await call(getMfaSecret, own);
    const { key: second } = await call(getMfaSecret, own);
    expect(second).not.toBe(first);
    expect(await call(submitToken, { body: { secret: first, token: codeOf(first), ...email } })).toBe('FALSE');
    expect(await call(submitToken, { body: { secret: second, token: codeOf(second), ...email } })).not.toBe('FALSE');
  });

  test("a key of the caller's own choice is answered with FALSE like a wrong code", async () => {
    const { call, own, email, status } = await signedIn();
    const { key } = await call(getMfaSecret, own);
    const chosen = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
    expect(await call(submitToken, { body: { secret: chosen, token: codeOf(chosen), ...email } })).toBe('FALSE');
    expect(await call(submitToken, { body: { secret: chosen, token: codeOf(key), ...email } })).toBe('FALSE');
    expect(await status()).toBe('inactive');
  });

  test('of many concurrent requests with the right code one succeeds', async () => {
    const { call, own, email } = await signedIn();
    const { key } = await call(getMfaSecret, own);
    const body = { secret: key, token: codeOf(key), ...email };
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => outcomeOf(call(submitToken, { body }))));
    expect(outcomes.filter((outcome) => typeof outcome === 'object')).toHaveLength(1);
  });

  test('an active key is never shown, nor replaced by another without proof', async () => {
    const { call, own, email, user, key } = await withAuthenticator();
    await expect(call(getMfaSecret, own)).rejects.toMatchObject({ status: 409, code: 'mfa_active' });
    // As if it had been requested just before the first one was confirmed.
    const { key: late } = await beginTotp(testApp.parts, user);
    expect(await call(submitToken, { body: { secret: late, token: codeOf(late), ...email } })).toBe('FALSE');
    await call(removeMfa, { body: { token: codeOf(key, 1), ...email } });
  });

  test('is stored encrypted, and in no other answer', async () => {
    const { user, browser, key } = await withAuthenticator();
    const [row] = await testApp.db.select().from(users).where(eq(users.id, user.id));
    expect(row?.totp_secret?.toString('latin1')).not.toContain(key);
    for (const path of ['getsession', `sso/mfa_status/${user.email}`, `sso/profile/${user.email}`, 'sso/devices']) {
      const answer = await browser.fetch(`/server/${path}`);
      expect(answer.status).toBe(200);
      expect(await answer.text()).not.toContain(key);
    }
  });

  test('a link on another page creates no key', async () => {
    const { browser, user } = await signedIn();
    const answer = await browser.fetch(`/server/sso/getqrq/${user.email}`, {}, { 'sec-fetch-site': 'cross-site' });
    expect(answer.status).toBe(403);
  });
});

describe('while a code is checked, the shown secret', () => {
  const submitWhile = async (replace: (shown: Buffer) => Buffer) => {
    const { call, own, email, user, status } = await signedIn();
    const { key } = await call(getMfaSecret, own);
    const body = { secret: key, token: codeOf(key), ...email };
    const result = await runWhileLocked(
      testApp,
      sql`select from pending_totp where user_id = ${user.id} for update`,
      () => call(submitToken, { body }),
      async (tx) => {
        const [pending] = await tx.select().from(pendingTotp).where(eq(pendingTotp.user_id, user.id));
        const secret = replace(pending?.secret ?? Buffer.of());
        await tx.update(pendingTotp).set({ secret }).where(eq(pendingTotp.user_id, user.id));
      },
    );
    return { result, status: await status() };
  };

  test('may be encrypted again', async () => {
    const { vault } = testApp.parts;
    expect(await submitWhile((shown) => vault.encrypt(vault.decrypt(shown)))).toMatchObject({
      result: { value: { recovery_codes: expect.anything() as unknown } },
      status: 'active',
    });
  });

  test('is not activated if another one was shown', async () => {
    expect(await submitWhile(() => testApp.parts.vault.encrypt('another secret'))).toMatchObject({
      result: { value: 'FALSE' },
      status: 'inactive',
    });
  });
});

describe('guessing', () => {
  test('200 concurrent guesses at submit_token: five are evaluated, and the right code comes too late', async () => {
    const { call, own, email, status } = await signedIn();
    const { key } = await call(getMfaSecret, own);
    const body = { secret: key, token: wrongCode(key), ...email };
    const outcomes = await Promise.all(Array.from({ length: 200 }, () => outcomeOf(call(submitToken, { body }))));
    expect(count(outcomes, 'FALSE')).toBe(5);
    expect(count(outcomes, 'too_many')).toBe(195);
    await expect(call(submitToken, { body: { ...body, token: codeOf(key) } })).rejects.toMatchObject({ status: 429 });
    expect(await status()).toBe('inactive');
  });

  test('200 concurrent guesses at remove_mfa: five are evaluated, and the right code comes too late', async () => {
    const { call, email, status, key } = await withAuthenticator();
    const body = { token: wrongCode(key), ...email };
    const outcomes = await Promise.all(Array.from({ length: 200 }, () => outcomeOf(call(removeMfa, { body }))));
    expect(count(outcomes, 'token_wrong')).toBe(5);
    expect(count(outcomes, 'too_many')).toBe(195);
    await expect(call(removeMfa, { body: { ...body, token: codeOf(key, 1) } })).rejects.toMatchObject({
      status: 429,
      retryAfter: expect.any(Number),
    });
    expect(await status()).toBe('active');
  });
});

describe('§7.8 removing TOTP', () => {
  test('with a code, except the one that set it up', async () => {
    const { call, email, status, own, key } = await withAuthenticator();
    const remove = (token: string) => call(removeMfa, { body: { token, ...email } });
    await expect(remove(codeOf(key))).rejects.toMatchObject({
      status: 400,
      message: 'Unable to validate the provided code',
    });
    await remove(codeOf(key, 1));
    expect(await status()).toBe('inactive');
    expect((await call(getProfile, own)).recovery_codes).toBe(0);
    await expect(remove('000000')).rejects.toMatchObject({ code: 'mfa_inactive' });
  });

  test('without a code needs a sign-in of the last ten minutes', async () => {
    const { call, email, status, grownOld } = await withAuthenticator();
    await grownOld();
    await expect(call(resetMfa, { body: email })).rejects.toMatchObject({ status: 401, code: 'reauth_required' });
    expect(await status()).toBe('active');
  });

  test.for(['reset', 'removed'] as const)('%s: other browsers are signed out, and an email says so', async (how) => {
    const { call, email, elsewhere, user, key, own } = await withAuthenticator();
    const other = await elsewhere();
    const mails = await mailsQueuedBy(testApp, () =>
      how === 'reset'
        ? call(resetMfa, { body: email })
        : call(removeMfa, { body: { token: codeOf(key, 1), ...email } }),
    );
    expect(mails).toMatchObject([{ to: user.email, subject: 'Your second factor was changed' }]);
    await expect(other(getMfaStatus, own)).rejects.toMatchObject({ code: 'auth_required' });
    expect(await call(getMfaStatus, own)).toBe('inactive');
    const records = await testApp.db.select().from(auditRecords).where(eq(auditRecords.actor_id, user.id));
    expect(records.at(-1)).toMatchObject({ description: 'update own authenticator', network_id: user.home_network_id });
  });

  test('a forced sign-in is fresh again, and returns to the profile', async () => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const call = testApp.as(browser);
    const ask = () => call(createRecoveryCodes, { body: { email: user.email } });
    const signIn = async (path: string) =>
      browser.submit(await browser.submit(await browser.get(path), { email: user.email, password }));
    await signIn('/server/saml/login');
    await testApp.db
      .update(consoleSessions)
      .set({ authenticated_at: new Date(Date.now() - 11 * 60_000) })
      .where(eq(consoleSessions.user_id, user.id));
    await expect(ask()).rejects.toMatchObject({ code: 'reauth_required' });
    expect((await signIn('/server/saml/login?force=yes&next=/profile')).url).toBe(`${testOrigin}/profile`);
    await expect(ask()).rejects.toMatchObject({ code: 'mfa_inactive' });
  });
});

describe('recovery codes', () => {
  test('new ones replace the old ones', async () => {
    const { call, email, user, codes, grownOld } = await withAuthenticator();
    const { recovery_codes } = await call(createRecoveryCodes, { body: email });
    expect(recovery_codes).toHaveLength(10);
    expect(await proveRecoveryCode(testApp.parts, { userId: user.id, device: undefined }, codes[0] ?? '')).toBe(false);
    expect(
      await proveRecoveryCode(testApp.parts, { userId: user.id, device: undefined }, recovery_codes[0] ?? ''),
    ).toBe(true);
    await grownOld();
    await expect(call(createRecoveryCodes, { body: email })).rejects.toMatchObject({ code: 'reauth_required' });
  });
});

describe('§7.8 email MFA', () => {
  test('toggles Yes and No on the session', async () => {
    const { call, account, user, elsewhere } = await signedIn();
    const flag = async () => (await call(getSession, {})).user;
    let mails = await mailsQueuedBy(testApp, async () => {
      expect(await call(enableMailMfa, { body: account })).toMatchObject({ code_needed: true });
    });
    expect(mails).toMatchObject([{ to: user.email, subject: 'Your code to switch on email codes' }]);
    expect(await flag()).toMatchObject({ enable_email_mfa: 'No' });
    const code = codeIn(mails[0]?.text);
    mails = await mailsQueuedBy(testApp, async () => {
      expect(await call(enableMailMfa, { body: { ...account, code: ` ${code} ` } })).toEqual({
        message: 'Email multi-factor authentication sucessfully enabled',
        code_needed: false,
      });
    });
    expect(mails).toMatchObject([{ to: user.email, subject: 'Your second factor was changed' }]);
    expect(await flag()).toMatchObject({ enable_email_mfa: 'Yes', mfa_email: user.email });
    const other = await elsewhere();
    expect(await call(disableMailMfa, { body: account })).toEqual({
      message: 'Email multi-factor authentication sucessfully disabled',
    });
    expect(await flag()).toMatchObject({ enable_email_mfa: 'No' });
    expect(await other(getSession, {})).toMatchObject({ user: 'no session' });
  });

  test('is turned off only with a fresh sign-in', async () => {
    const { call, account, grownOld, codeFor } = await signedIn();
    await call(enableMailMfa, { body: { ...account, code: await codeFor() } });
    await grownOld();
    await expect(call(disableMailMfa, { body: account })).rejects.toMatchObject({ code: 'reauth_required' });
    expect((await call(getSession, {})).user).toMatchObject({ enable_email_mfa: 'Yes' });
  });

  test('a code is valid once, in the session that requested it, and only the newest', async () => {
    const { call, account, codeFor, elsewhere, isOn } = await signedIn();
    const confirm = (code: string, by = call) => outcomeOf(by(enableMailMfa, { body: { ...account, code } }));
    expect(await confirm('123456')).toBe('token_wrong');
    const [first, second] = [await codeFor(), await codeFor()];
    const other = await elsewhere();
    expect(await confirm(second, other)).toBe('token_wrong');
    expect(first === second || (await confirm(first)) === 'token_wrong').toBe(true);
    expect(await isOn()).toBe(false);
    const outcomes = await Promise.all(Array.from({ length: 3 }, () => confirm(second)));
    expect(outcomes.filter((outcome) => typeof outcome === 'object')).toHaveLength(1);
    expect(await isOn()).toBe(true);
    expect(await confirm(second)).toBe('token_wrong');
  });

  test('a code has five tries and ten minutes, and is stored only as a hash', async () => {
    const { call, account, codeFor, isOn } = await signedIn();
    const confirm = (code: string) => outcomeOf(call(enableMailMfa, { body: { ...account, code } }));
    const code = await codeFor();
    expect(JSON.stringify(await testApp.db.select().from(emailMfaCodes))).not.toContain(code);
    const guesses = await Promise.all(
      Array.from({ length: 20 }, () => confirm(code === '000000' ? '000001' : '000000')),
    );
    expect(count(guesses, 'token_wrong')).toBe(20);
    expect(await confirm(code)).toBe('token_wrong');
    const late = await codeFor();
    await testApp.db.update(emailMfaCodes).set({ expires_at: sql`now() - interval '1 second'` });
    expect(await confirm(late)).toBe('token_wrong');
    expect(await isOn()).toBe(false);
  });

  test('requesting many codes is throttled, without using up those that a sign-in needs', async () => {
    const { call, account, user } = await signedIn();
    const asked = await Promise.all(Array.from({ length: 8 }, () => outcomeOf(call(enableMailMfa, { body: account }))));
    expect(count(asked, 'too_many')).toBe(3);
    const keys = (await testApp.db.select().from(throttles)).map(({ key }) => key);
    expect(keys.filter((key) => key.includes(String(user.id)))).toEqual([`mfa-confirm:${user.id}`]);
  });

  test('cannot be turned on while no mail can be sent', async () => {
    const mute = await buildTestApp();
    const user = await makeUser(mute.db);
    const call = mute.as(await signInto(mute.db, mute.browser(), user));
    const body = { id: user.id, email: user.email };
    for (const given of [body, { ...body, code: '123456' }])
      await expect(call(enableMailMfa, { body: given })).rejects.toMatchObject({
        status: 409,
        code: 'mail_unavailable',
      });
    expect(await call(getProfile, { params: { username: user.email } })).toMatchObject({ sends_mail: false });
  });
});

test('another address is refused, known or not, and nothing changes', async () => {
  const { call, user } = await signedIn();
  const victim = await withAuthenticator();
  for (const email of [victim.user.email, 'nobody@nowhere.example', 'no address']) {
    const refused = { status: 403, code: 'forbidden', message: "You don't have permission to do this." };
    const params = { username: email };
    await expect(call(getMfaStatus, { params })).rejects.toMatchObject(refused);
    await expect(call(getMfaSecret, { params })).rejects.toMatchObject(refused);
    const token = codeOf(victim.key, 1);
    await expect(call(submitToken, { body: { secret: victim.key, token, email } })).rejects.toMatchObject(refused);
    await expect(call(removeMfa, { body: { token, email } })).rejects.toMatchObject(refused);
    await expect(call(resetMfa, { body: { email } })).rejects.toMatchObject(refused);
    await expect(call(createRecoveryCodes, { body: { email } })).rejects.toMatchObject(refused);
    for (const toggle of [enableMailMfa, disableMailMfa]) {
      await expect(call(toggle, { body: { id: user.id, email } })).rejects.toMatchObject(refused);
      const body = { id: victim.user.id, email: user.email };
      await expect(call(toggle, { body })).rejects.toMatchObject(refused);
    }
  }
  expect(await victim.status()).toBe('active');
});
