import {
  changePassword,
  finishPasswordChange,
  getPasswordPolicy,
  getProfile,
  getSession,
  listDevices,
  removeDevice,
  removeOtherDevices,
  removeUser,
  updateName,
  updateSession,
  uploadProfilePicture,
} from '@opensocial/contract';
import { eq, sql } from 'drizzle-orm';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { auditRecords, networkSettings, profilePictures, users } from '../../database/schema.ts';
import { makeUser, networkNamed, password, signInto } from '../../testing/app/builders.ts';
import { mailsQueuedBy } from '../../testing/app/queued-mails.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';
import { drawing, hiddenWords, makeNoise, makePhotograph } from '../../testing/payloads/pictures.ts';
import { removeImageFilesTask } from '../media/media.jobs.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await buildTestApp();
});

const signedIn = async (draft: Parameters<typeof makeUser>[1] = {}) => {
  const user = await makeUser(testApp.db, draft);
  const browser = await signInto(testApp.db, testApp.browser(), user);
  return { user, browser, call: testApp.as(browser), email: user.email };
};

/** The real sign-in with a new browser. */
const enter = async (email: string, secret = password) => {
  const browser = testApp.browser();
  const page = await browser.submit(await browser.get('/server/saml/login'), { email, password: secret });
  if (page.form?.fields['SAMLResponse']) await browser.submit(page);
  return { browser, call: testApp.as(browser), status: page.status };
};

const rule = async (network: string, rules: Partial<typeof networkSettings.$inferInsert>) => {
  const { id } = await networkNamed(testApp.db, network);
  await testApp.db.update(networkSettings).set(rules).where(eq(networkSettings.network_id, id));
};

const wanted = 'a rather different battery';

describe('§7.8 profile', () => {
  test('has these fields of the caller and no others', async () => {
    const { user, call } = await signedIn();
    expect(await call(getProfile, { params: { username: user.email.toUpperCase() } })).toEqual({
      email: user.email,
      first_name: 'Ana',
      last_name: 'Moreno',
      has_password: true,
      password_changed: null,
      recovery_codes: 0,
      sends_mail: false,
    });
  });

  test('names are saved, both or none, and audited', async () => {
    const { user, call, email } = await signedIn();
    const save = (first_name: string, last_name: string) =>
      call(updateName, { body: { id: user.id, email, first_name, last_name } });
    await save(' Anna ', '<b>Moreno</b> & Söhne');
    expect((await call(getSession, {})).user).toMatchObject({ name: 'Anna <b>Moreno</b> & Söhne' });
    for (const [first = '', last = ''] of [
      ['', 'Moreno'],
      ['Ana', '   '],
      ['Ana\n', 'Mor\neno'],
      ['Ana', 'x'.repeat(101)],
      ['Ana', 'see www.evil.example'],
      ['evil.example/now', 'Moreno'],
    ])
      await expect(save(first, last)).rejects.toMatchObject({ status: 400 });
    expect(await call(getProfile, { params: { username: email } })).toMatchObject({ first_name: 'Anna' });
    const records = await testApp.db.select().from(auditRecords).where(eq(auditRecords.actor_id, user.id));
    expect(records).toMatchObject([
      {
        description: 'update own name',
        old_data: { firstname: 'Ana', lastname: 'Moreno' },
        new_data: { firstname: 'Anna', lastname: '<b>Moreno</b> & Söhne' },
      },
    ]);
  });

  test('another address or id is refused, and nothing changes', async () => {
    const { user, call, email } = await signedIn();
    const victim = await makeUser(testApp.db);
    const names = { first_name: 'Eve', last_name: 'Il' };
    const change = { current_password: password, password: wanted };
    const refused = { status: 403, code: 'forbidden' };
    const theirs = { email: victim.email };
    await expect(call(getProfile, { params: { username: victim.email } })).rejects.toMatchObject(refused);
    await expect(call(updateName, { body: { id: victim.id, email, ...names } })).rejects.toMatchObject(refused);
    await expect(call(updateName, { body: { id: user.id, ...theirs, ...names } })).rejects.toMatchObject(refused);
    await expect(call(changePassword, { body: { ...theirs, ...change } })).rejects.toMatchObject(refused);
    await expect(call(finishPasswordChange, { body: { username: victim.email, password } })).rejects.toMatchObject(
      refused,
    );
    const file = new File([drawing], 'a.svg', { type: 'image/svg+xml' });
    await expect(call(uploadProfilePicture, { body: theirs, file })).rejects.toMatchObject(refused);
    const [row] = await testApp.db.select().from(users).where(eq(users.id, victim.id));
    expect(row).toEqual(victim);
  });
});

describe('§7.8 password', () => {
  const change = (call: ReturnType<TestApp['as']>, email: string, current_password: string, next: string) =>
    call(changePassword, { body: { email, current_password, password: next } });

  test('is changed, other browsers are signed out, and a mail says so', async () => {
    const { call, email, user } = await signedIn();
    const other = testApp.as(await signInto(testApp.db, testApp.browser(), user));
    const elsewhere = await enter(email);
    const mails = await mailsQueuedBy(testApp, async () => {
      expect(await change(call, email, password, wanted)).toEqual({ message: 'Password change sucessfully' });
    });
    expect(mails.filter(({ subject }) => subject === 'Your password was changed')).toMatchObject([{ to: email }]);
    expect((await call(getSession, {})).user).toMatchObject({ username: email });
    expect((await other(getSession, {})).user).toBe('no session');
    expect((await elsewhere.call(getSession, {})).user).toBe('no session');
    // The identity provider does not recognise that browser any more either.
    expect((await elsewhere.browser.get('/server/saml/login')).form?.fields).not.toHaveProperty('SAMLResponse');
    expect((await enter(email)).status).toBe(401);
    expect((await enter(email, wanted)).status).toBe(200);
  });

  test('the rule of the default network is returned, and the rule of the home network applies', async () => {
    await rule('southlab', { password_length: 32 });
    const { call, email } = await signedIn({ alsoIn: ['southlab'] });
    const policyOf = (default_server: string) => call(getPasswordPolicy, { params: { default_server } });
    expect(await policyOf('southlab')).toMatchObject({ password_length: 32 });
    await expect(policyOf('opensocial')).rejects.toMatchObject({ status: 404 });
    await change(call, email, password, wanted);
    const southern = await signedIn({ network: 'southlab', alsoIn: ['northlab'] });
    await expect(change(southern.call, southern.email, password, wanted)).rejects.toMatchObject({
      status: 400,
      code: 'password_refused',
      message: 'The password must have at least 32 characters.',
    });
  });

  test('cannot be the current one, one of the last, or one that is easy to guess', async () => {
    const { call, email } = await signedIn();
    const refused = { status: 400, code: 'password_refused' };
    await expect(change(call, email, password, password)).rejects.toMatchObject(refused);
    await change(call, email, password, wanted);
    await change(call, email, wanted, `${wanted} two`);
    await expect(change(call, email, `${wanted} two`, wanted)).rejects.toMatchObject({
      ...refused,
      message: 'This is one of your last 3 passwords. Choose another one.',
    });
    await expect(change(call, email, `${wanted} two`, email)).rejects.toMatchObject(refused);
    for (const guessed of ['Ana Moreno 2026!', 'northlab-2026-ana', '1qaz2wsx3edc4rfv', 'Supernatural#2026'])
      await expect(change(call, email, `${wanted} two`, guessed), guessed).rejects.toMatchObject({
        ...refused,
        message: 'This password is easy to guess. Choose another one.',
      });
  });

  test('guesses of the old one are counted with those of the sign-in page, also parallel ones', async () => {
    await rule('opensocial', { failed_tries: 4 });
    const { call, email } = await signedIn({ network: 'opensocial' });
    const guesses = Array.from({ length: 20 }, () =>
      change(call, email, 'a guess', wanted).catch((error: { code: string }) => error.code),
    );
    const outcomes = await Promise.all(guesses);
    expect(outcomes.filter((code) => code === 'password_wrong')).toHaveLength(4);
    expect(outcomes.filter((code) => code === 'too_many')).toHaveLength(16);
    await expect(change(call, email, password, wanted)).rejects.toMatchObject({ status: 429 });
    await expect(call(finishPasswordChange, { body: { username: email, password } })).rejects.toMatchObject({
      status: 429,
    });
    expect((await enter(email)).status).toBe(401);
  });

  test('sso_profile_done sets no password; it checks it and ends the other sessions', async () => {
    const { call, email, user } = await signedIn();
    const other = testApp.as(await signInto(testApp.db, testApp.browser(), user));
    const done = (given: string) => call(finishPasswordChange, { body: { username: email, password: given } });
    await expect(done(wanted)).rejects.toMatchObject({ status: 400, code: 'password_wrong' });
    expect((await other(getSession, {})).user).not.toBe('no session');
    await done(password);
    expect((await other(getSession, {})).user).toBe('no session');
    expect((await enter(email, wanted)).status).toBe(401);
    expect((await enter(email)).status).toBe(200);
  });
});

describe('§7.8 profile picture', () => {
  const upload = (call: ReturnType<TestApp['as']>, email: string, file: File) =>
    call(uploadProfilePicture, { body: { email }, file });
  const photograph = async () => new File([new Uint8Array(await makePhotograph())], 'me.jpg', { type: 'image/jpeg' });

  test('is reduced and stripped of metadata, and shown once update_session names it', async () => {
    const { browser, call, email } = await signedIn();
    const { fullPath } = await upload(call, email, await photograph());
    expect((await call(getSession, {})).user).toMatchObject({ photoURL: '' });
    expect((await call(updateSession, { body: { picture: fullPath } })).user).toMatchObject({ photoURL: fullPath });
    const answer = await browser.fetch(fullPath);
    expect(answer.headers.get('content-type')).toBe('image/webp');
    expect(answer.headers.get('content-security-policy')).toContain('sandbox');
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.toString('latin1')).not.toContain(hiddenWords);
    const { width, height } = await sharp(bytes).metadata();
    expect(Math.max(width, height)).toBeLessThanOrEqual(320);
    expect((await testApp.browser().fetch(fullPath)).status).toBe(401);
    expect((await browser.fetch(`${fullPath}x`)).status).toBe(404);
  });

  test('a foreign one is not shown', async () => {
    const { call, email } = await signedIn();
    const stranger = await signedIn();
    const { fullPath } = await upload(call, email, new File([drawing], 'me.svg', { type: 'image/svg+xml' }));
    await expect(stranger.call(updateSession, { body: { picture: fullPath } })).rejects.toMatchObject({
      status: 400,
      code: 'picture_unknown',
    });
  });

  test('a newer one replaces it: the older is deleted, with its file', async () => {
    const { call, email, user } = await signedIn();
    const pictures = [];
    for (let place = 0; place < 3; place += 1) {
      const { fullPath } = await upload(call, email, await photograph());
      if (place !== 1) await call(updateSession, { body: { picture: fullPath } });
      pictures.push(fullPath);
    }
    const rows = await testApp.db.select().from(profilePictures).where(eq(profilePictures.user_id, user.id));
    expect(rows.map(({ name }) => name)).toEqual([pictures[2]]);
    const { rows: jobs } = await testApp.db.execute<{ payload: { name: string } }>(
      sql`select payload from graphile_worker._private_jobs where run_at <= now()`,
    );
    const task = removeImageFilesTask(testApp.parts);
    for (const picture of pictures) await task({ name: picture.split('/').at(-1) }, {} as never);
    const queued = jobs.map(({ payload }) => payload.name);
    expect(queued).toEqual(expect.arrayContaining(pictures.slice(0, 2).map((picture) => picture.split('/').at(-1))));
    expect(await testApp.parts.storage.get(pictures[0]?.split('/').at(-1) ?? '')).toBeUndefined();
    const kept = await testApp.parts.storage.get(pictures[2]?.split('/').at(-1) ?? '');
    kept?.stream.destroy();
    expect(kept).toBeDefined();
  });

  test('is deleted with the account', async () => {
    const { call, email, user } = await signedIn();
    const owner = await signedIn({ owns: ['northlab'] });
    const { fullPath } = await upload(call, email, new File([drawing], 'me.svg', { type: 'image/svg+xml' }));
    await call(updateSession, { body: { picture: fullPath } });
    const { id: server_id } = await networkNamed(testApp.db, 'northlab');
    await owner.call(removeUser, { body: { id: user.id, uid: user.uid, server_id, sso_server: 'northlab' } });
    const name = fullPath.split('/').at(-1) ?? '';
    const { rows } = await testApp.db.execute(
      sql`select 1 from graphile_worker._private_jobs where run_at <= now() and payload->>'name' = ${name}`,
    );
    expect(rows).toHaveLength(1);
  });

  test('§9 has 5 MB at most, and must be an image', async () => {
    const { call, email } = await signedIn();
    const large = new File([new Uint8Array(await makeNoise(1_400))], 'me.png', { type: 'image/png' });
    expect(large.size).toBeGreaterThan(5 * 1024 * 1024);
    await expect(upload(call, email, large)).rejects.toMatchObject({
      status: 413,
      message: 'File size too large, max size allowed is 5 MB',
    });
    const text = new File(['<?php echo 1;'], 'me.png', { type: 'image/png' });
    await expect(upload(call, email, text)).rejects.toMatchObject({ status: 400, code: 'file_type_invalid' });
    const hostile = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><script>alert(1)</script><path d="M0 0h9v9z"/></svg>`;
    const { fullPath } = await upload(call, email, new File([hostile], 'me.svg', { type: 'image/svg+xml' }));
    const { browser } = await signedIn();
    expect(await (await browser.fetch(fullPath)).text()).not.toContain('script');
  });
});

describe('devices', () => {
  test('are the browsers in which the user is signed in; the current one is marked', async () => {
    const { email } = await makeUser(testApp.db);
    const first = await enter(email);
    const second = await enter(email);
    const stranger = await enter((await makeUser(testApp.db)).email);
    const { devices } = await first.call(listDevices, {});
    expect(devices).toHaveLength(2);
    expect(devices.filter(({ current }) => current)).toHaveLength(1);
    const other = devices.find(({ current }) => !current);
    await stranger.call(removeDevice, { params: { id: other?.id ?? 0 } });
    expect((await second.call(getSession, {})).user).not.toBe('no session');
    await first.call(removeDevice, { params: { id: other?.id ?? 0 } });
    expect((await second.call(getSession, {})).user).toBe('no session');
    expect((await second.browser.get('/server/saml/login')).form?.fields).not.toHaveProperty('SAMLResponse');
    expect((await first.call(listDevices, {})).devices).toMatchObject([{ current: true, login_from: 'OpenSocial' }]);
  });

  test('all others are signed out at once, and nobody else', async () => {
    const { email } = await makeUser(testApp.db);
    const own = await enter(email);
    const others = [await enter(email), await enter(email)];
    const stranger = await signedIn();
    await own.call(removeOtherDevices, {});
    for (const { call } of others) expect((await call(getSession, {})).user).toBe('no session');
    expect((await own.call(listDevices, {})).devices).toHaveLength(1);
    expect((await stranger.call(getSession, {})).user).not.toBe('no session');
  });
});
