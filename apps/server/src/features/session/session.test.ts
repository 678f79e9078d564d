import {
  type Caller,
  client,
  getSession,
  listDevices,
  sessionUserHeader,
  setDefault,
  setSelected,
  updateSession,
} from '@opensocial/contract';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { profilePictures, users } from '../../database/schema.ts';
import { makeUser, networkNamed, signInto } from '../../testing/app/builders.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';

let testApp: TestApp;
let north: { id: number };
let south: { id: number };
beforeAll(async () => {
  testApp = await buildTestApp();
  north = await networkNamed(testApp.db, 'northlab');
  south = await networkNamed(testApp.db, 'southlab');
});

const signedIn = async (draft: Parameters<typeof makeUser>[1] = {}) => {
  const user = await makeUser(testApp.db, draft);
  return { user, call: testApp.as(await signInto(testApp.db, testApp.browser(), user)) };
};

describe('§3 the session', () => {
  test("is only 'no session' for somebody who is not signed in", async () => {
    expect(await testApp.as(testApp.browser())(getSession, {})).toEqual({ user: 'no session', csrf: '' });
  });

  test('has exactly these fields', async () => {
    const { user, call } = await signedIn({ owns: ['northlab'] });
    const session = await call(getSession, {});
    expect(session.user).toEqual({
      id: user.id,
      name: 'Ana Moreno',
      username: user.email,
      uid: user.uid,
      is_admin: true,
      photoURL: '',
      default_server: 'northlab',
      server_id: north.id,
      selected_server: 'northlab',
      selected_id: north.id,
      sso_id: (await networkNamed(testApp.db, 'northlab')).sso_id,
      mfa_email: user.email,
      enable_email_mfa: 'No',
      last_login_from: 'OpenSocial',
      mfa_due: null,
    });
  });

  test('is never cached', async () => {
    const answer = await testApp.browser().fetch('/server/getsession');
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test('contains a CSRF token for browsers that send neither Sec-Fetch-Site nor Origin', async () => {
    const user = await makeUser(testApp.db, { alsoIn: ['southlab'] });
    const browser = await signInto(testApp.db, testApp.browser(), user);
    const { csrf } = await testApp.as(browser)(getSession, {});
    const body = JSON.stringify({ selected_server: 'southlab', selected_id: south.id });
    const select = (headers: Record<string, string>) =>
      browser.fetch(`/server/set_selected/${user.id}`, {
        method: 'PUT',
        body,
        headers: { 'content-type': 'application/json', ...headers },
      });
    expect((await select({})).status).toBe(403);
    expect((await select({ 'x-csrf': 'made up' })).status).toBe(403);
    expect((await select({ 'x-csrf': csrf })).status).toBe(200);
  });

  test('a console that shows another person is refused and changes nothing; only the session itself is answered', async () => {
    const shown = await makeUser(testApp.db, {});
    const user = await makeUser(testApp.db, { alsoIn: ['southlab'] });
    const browser = await signInto(testApp.db, testApp.browser(), user);
    const showing = (id: number | string): Caller =>
      client({
        fetch: (url, init) => browser.fetch(url as string, init, { 'sec-fetch-site': 'same-origin' }),
        headers: () => ({ [sessionUserHeader]: String(id) }),
      });
    const select = (caller: Caller) =>
      caller(setSelected, {
        params: { userId: user.id },
        body: { selected_server: 'southlab', selected_id: south.id },
      });
    for (const id of [shown.id, '', `${user.id}0`, `${user.id}, ${user.id}`]) {
      await expect(select(showing(id))).rejects.toMatchObject({ code: 'other_person', status: 409 });
      await expect(showing(id)(listDevices, {})).rejects.toMatchObject({ code: 'other_person' });
      expect((await showing(id)(getSession, {})).user).toMatchObject({ id: user.id, selected_server: 'northlab' });
    }
    expect((await select(showing(user.id))).user).toMatchObject({ selected_server: 'southlab' });
  });
});

describe('§4 the selected and the default network', () => {
  test('selecting changes this session only', async () => {
    const user = await makeUser(testApp.db, { alsoIn: ['southlab'] });
    const one = testApp.as(await signInto(testApp.db, testApp.browser(), user));
    const other = testApp.as(await signInto(testApp.db, testApp.browser(), user));
    const { user: selected } = await one(setSelected, {
      params: { userId: user.id },
      body: { selected_server: 'southlab', selected_id: south.id },
    });
    expect(selected).toMatchObject({
      selected_server: 'southlab',
      default_server: 'northlab',
      sso_id: (await networkNamed(testApp.db, 'southlab')).sso_id,
    });
    expect((await other(getSession, {})).user).toMatchObject({ selected_server: 'northlab' });
  });

  test('setting the default network selects it too, and is stored', async () => {
    const { user, call } = await signedIn({ alsoIn: ['southlab'] });
    const body = {
      default_server: 'southlab',
      server_id: south.id,
      selected_server: 'southlab',
      selected_id: south.id,
    };
    expect((await call(setDefault, { params: { userId: user.id }, body })).user).toMatchObject({
      default_server: 'southlab',
      selected_server: 'southlab',
    });
    const [row] = await testApp.db.select().from(users).where(eq(users.id, user.id));
    expect(row?.default_network_id).toBe(south.id);
  });

  test('id and name must belong to one network, and the user must be a member', async () => {
    const { user, call } = await signedIn();
    const select = (selected_server: string, selected_id: number) =>
      call(setSelected, { params: { userId: user.id }, body: { selected_server, selected_id } });
    await expect(select('southlab', south.id)).rejects.toMatchObject({ status: 404 });
    await expect(select('southlab', north.id)).rejects.toMatchObject({ status: 404 });
    await expect(select('northlab', south.id)).rejects.toMatchObject({ status: 404 });
  });
});

describe('§7.8 the picture', () => {
  test('must be one that this user has uploaded', async () => {
    const { user, call } = await signedIn();
    const stranger = await makeUser(testApp.db);
    await testApp.db.insert(profilePictures).values([
      { name: 'mine.png', user_id: user.id },
      { name: 'theirs.png', user_id: stranger.id },
    ]);
    for (const picture of ['https://evil.example/x.png', 'theirs.png', 'javascript:alert(1)']) {
      await expect(call(updateSession, { body: { picture } })).rejects.toMatchObject({ status: 400 });
    }
    expect((await call(updateSession, { body: { picture: 'mine.png' } })).user).toMatchObject({ photoURL: 'mine.png' });
  });

  test('accepts no other field', async () => {
    const { call } = await signedIn();
    const body = { picture: 'mine.png', is_admin: true, user_role: 'admin' };
    await expect(call(updateSession, { body })).rejects.toMatchObject({ status: 400 });
  });
});
