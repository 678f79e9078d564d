import { confirmSignup, getActivationPolicy, verifyToken } from '@opensocial/contract';
import { eq, sql } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { networkSettings, oneTimeTokens, throttles, users } from '../../database/schema.ts';
import { makeUser, networkNamed, password } from '../../testing/app/builders.ts';
import { runWhileLocked } from '../../testing/app/sign-in-pages.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';
import { testOrigin } from '../../testing/app/test-parts.ts';
import { addOwner } from '../networks/networks.service.ts';

let testApp: TestApp;
let call: ReturnType<TestApp['as']>;
beforeAll(async () => {
  testApp = await buildTestApp();
  call = testApp.as(testApp.browser());
});
beforeEach(async () => {
  await testApp.db.delete(throttles);
});

const invited = async (email = `${crypto.randomUUID()}@northlab.org`) => {
  const network = await networkNamed(testApp.db, 'northlab');
  const { link } = await testApp.db.transaction((tx) =>
    addOwner(tx, testApp.parts, network, email, { withMail: false }),
  );
  const code = new URL(link ?? '').searchParams.get('token') ?? '';
  return { email, code, network };
};

const confirmed = async (email: string) =>
  (await testApp.db.select().from(users).where(eq(users.email, email)))[0]?.status;

describe('§7.9 activation', () => {
  test('a link is checked, its password rules are returned, and it works once', async () => {
    const { email, code } = await invited();
    expect(await call(verifyToken, { body: { email, code } })).toMatchObject({ server: 'northlab' });
    expect(await call(getActivationPolicy, { query: { server: 'northlab' } })).toMatchObject({ password_length: 16 });
    const body = { email: email.toUpperCase(), code, password, signup_from: testOrigin };
    expect(await call(confirmSignup, { body })).toMatchObject({
      message: 'Congratulations! Your account has been verified sucessfully.',
    });
    expect(await confirmed(email)).toBe('Confirmed');
    await expect(call(confirmSignup, { body })).rejects.toMatchObject({
      status: 400,
      message: 'Invalid verification code or it is already used',
    });
    await expect(call(verifyToken, { body: { email, code } })).rejects.toMatchObject({ code: 'token_used' });
  });

  test("§2.14 a link returns its network's legal links, if they are set", async () => {
    const { email, code, network } = await invited();
    const ofNetwork = eq(networkSettings.network_id, network.id);
    const asked = async () => {
      const { terms_of_use, privacy_statement } = await call(verifyToken, { body: { email, code } });
      return { terms_of_use, privacy_statement };
    };
    expect(await asked()).toEqual({ terms_of_use: '', privacy_statement: '' });
    const legal = { terms_of_use: 'https://northlab.org/terms', privacy_statement: 'https://northlab.org/privacy' };
    await testApp.db.update(networkSettings).set(legal).where(ofNetwork);
    expect(await asked()).toEqual(legal);
    await testApp.db.update(networkSettings).set({ terms_of_use: null, privacy_statement: null }).where(ofNetwork);
  });

  test('only one of many concurrent requests succeeds', async () => {
    const { email, code } = await invited();
    const body = { email, code, password, signup_from: testOrigin };
    const outcomes = await Promise.allSettled(Array.from({ length: 12 }, () => call(confirmSignup, { body })));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('confirming a link while its invitation is removed does not deadlock', async () => {
    const { email, code } = await invited();
    const [user] = await testApp.db.select().from(users).where(eq(users.email, email));
    const end = await runWhileLocked(
      testApp,
      sql`select from users where id = ${user?.id} for update`,
      () => call(confirmSignup, { body: { email, code, password, signup_from: testOrigin } }),
      (tx) => tx.delete(oneTimeTokens).where(eq(oneTimeTokens.user_id, user?.id ?? 0)),
    );
    expect(end).toMatchObject({ status: 'rejected', reason: { status: 400, code: 'token_used' } });
  });

  test('a deadlock with other work is answered as retryable', async () => {
    const { email, code } = await invited();
    const [user] = await testApp.db.select().from(users).where(eq(users.email, email));
    const end = await runWhileLocked(
      testApp,
      sql`select from one_time_tokens where user_id = ${user?.id} for update`,
      () => call(confirmSignup, { body: { email, code, password, signup_from: testOrigin } }),
      (tx) => tx.execute(sql`select from users where id = ${user?.id} for update`),
    );
    expect(end).toMatchObject({ status: 'rejected', reason: { status: 503, code: 'unavailable', retryAfter: 1 } });
  });

  test('of several concurrent links for one account one succeeds', async () => {
    const { email, code } = await invited();
    const links = [code, (await invited(email)).code, (await invited(email)).code];
    const outcomes = await Promise.allSettled(
      links.map((each, index) =>
        call(confirmSignup, { body: { email, code: each, password: `${password} ${index}`, signup_from: testOrigin } }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('§8 an unknown address and a token that was never issued get the same answer', async () => {
    const { email, code } = await invited();
    const other = await invited();
    const existing = await makeUser(testApp.db);
    for (const body of [
      { email: 'nobody@nowhere.example', code },
      { email, code: 'never issued' },
      { email: existing.email, code: 'never issued' },
      { email: other.email, code },
    ]) {
      await expect(call(verifyToken, { body })).rejects.toMatchObject({
        status: 404,
        message: 'Incorrect email address',
      });
      await expect(call(confirmSignup, { body: { ...body, password, signup_from: testOrigin } })).rejects.toMatchObject(
        {
          status: 404,
          message: 'Incorrect email address',
        },
      );
    }
  });

  test('§8 a malformed address is reported as such', async () => {
    await expect(call(verifyToken, { body: { email: 'no address', code: 'c' } })).rejects.toMatchObject({
      status: 400,
      message: 'Invalid email address',
    });
  });

  test('a link is valid for a day', async () => {
    const { email, code } = await invited();
    await testApp.db.update(oneTimeTokens).set({ expires_at: sql`now() - interval '1 minute'` });
    await expect(call(verifyToken, { body: { email, code } })).rejects.toMatchObject({ code: 'token_used' });
    expect(await confirmed(email)).toBe('NonConfirmed');
  });

  test('a password against the rules changes nothing', async () => {
    const { email, code, network } = await invited();
    await testApp.db
      .update(networkSettings)
      .set({ password_length: 8, password_complexity: ['upperletter', 'number', 'special'] })
      .where(eq(networkSettings.network_id, network.id));
    const { password_regex, regex_message } = await call(getActivationPolicy, { query: { server: 'northlab' } });
    expect(regex_message).toBe(
      'The password must have at least 8 characters, with an upper-case letter, a number, and a special character.',
    );
    for (const refused of ['short1!', 'no upper 1', 'No Number!', 'NoSpecial123']) {
      expect(new RegExp(password_regex).test(refused)).toBe(false);
      const body = { email, code, password: refused, signup_from: testOrigin };
      await expect(call(confirmSignup, { body })).rejects.toMatchObject({ status: 400, message: regex_message });
    }
    expect(await confirmed(email)).toBe('NonConfirmed');
    expect(new RegExp(password_regex).test('Right one 1')).toBe(true);
    await call(confirmSignup, { body: { email, code, password: 'Right one 1', signup_from: testOrigin } });
  });

  test('a foreign origin is refused', async () => {
    const { email, code } = await invited();
    const body = { email, code, password, signup_from: 'https://evil.example' };
    await expect(call(confirmSignup, { body })).rejects.toMatchObject({ code: 'origin_unknown' });
  });

  test('the number of guesses is limited', async () => {
    const guess = () =>
      call(verifyToken, { body: { email: 'a@b.org', code: 'guess' } }).catch(
        (error: { status: number }) => error.status,
      );
    const answers = await Promise.all(Array.from({ length: 40 }, guess));
    expect(answers.filter((status) => status === 404)).toHaveLength(30);
    expect(answers.filter((status) => status === 429)).toHaveLength(10);
  });
});
