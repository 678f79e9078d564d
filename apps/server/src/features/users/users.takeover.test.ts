import {
  acceptInvitation,
  changeUser,
  confirmSignup,
  createNetwork,
  createOwner,
  createUser,
  declineInvitation,
  endUserSessions,
  getActivityLine,
  getRole,
  getSession,
  getUser,
  importUsers,
  leaveNetwork,
  listOwners,
  listOwnNetworks,
  listUsers,
  removeGroup,
  removeUser,
  resendInvitation,
  setUserMode,
  unassignSite,
  updateName,
  updateUser,
  verifyToken,
} from '@opensocial/contract';
import { desc, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { auditRecords, loginLog, networkSettings, throttles, users } from '../../database/schema.ts';
import type { Mail } from '../../mail/mailer.ts';
import type { Browser } from '../../testing/app/browser.ts';
import { makeGroup, makeSite, makeUser, networkNamed, password, signInto } from '../../testing/app/builders.ts';
import { mailsQueuedBy } from '../../testing/app/queued-mails.ts';
import { isSignedIn } from '../../testing/app/sign-in-pages.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';
import { testOrigin } from '../../testing/app/test-parts.ts';
import { addOwner } from '../networks/networks.service.ts';

type User = typeof users.$inferSelect;

/** The owner of southlab has no relation to the people in northlab, and the other way round. */
let testApp: TestApp;
let north: { id: number };
let south: { id: number };
let stranger: ReturnType<TestApp['as']>;
let owner: ReturnType<TestApp['as']>;
beforeAll(async () => {
  testApp = await buildTestApp();
  north = await networkNamed(testApp.db, 'northlab');
  south = await networkNamed(testApp.db, 'southlab');
  stranger = await as(await makeUser(testApp.db, { network: 'southlab', owns: ['southlab'] }));
  owner = await as(await makeUser(testApp.db, { owns: ['northlab'] }));
});

const as = async (user: User, authenticatedAt?: Date) =>
  testApp.as(await signInto(testApp.db, testApp.browser(), user, authenticatedAt));
const hoursAgo = (count: number) => new Date(Date.now() - count * 3_600_000);
const stored = async (id: number) => (await testApp.db.select().from(users).where(eq(users.id, id)))[0];
const anybody = () => testApp.as(testApp.browser());

const invitation = (email: string, network: 'northlab' | 'southlab' = 'southlab') => ({
  email,
  firstname: 'Typed',
  lastname: 'Name',
  sso_server_id: network === 'northlab' ? north.id : south.id,
  signup_from: `${testOrigin}/sso-servers/${network}/users/new`,
  signup_server: network,
  groups: [],
});

/** The activation link in a mail. */
const linkIn = (mail: Mail | undefined) => {
  const [link = ''] = /http:\/\/localhost:8080\/set-password\?[^\s"]+/.exec(mail?.text ?? '') ?? [];
  const url = URL.parse(link);
  return { email: url?.searchParams.get('email') ?? '', code: url?.searchParams.get('token') ?? '' };
};

const confirm = (link: { email: string; code: string }) =>
  anybody()(confirmSignup, { body: { ...link, password, signup_from: testOrigin } });

describe('the home network of a person', () => {
  test('is the network whose invitation they confirmed, not the first that entered their address', async () => {
    const email = 'nora@typed-first.org';
    await stranger(createUser, { body: invitation(email) });
    const [mail] = await mailsQueuedBy(testApp, () => owner(createUser, { body: invitation(email, 'northlab') }));
    await confirm(linkIn(mail));
    const { users: rows } = await owner(listUsers, {
      params: { serverId: north.id, serverName: 'northlab', keyword: email, lastId: 0 },
    });
    expect(rows).toMatchObject([{ email, status: 'Confirmed', signup_server: 'northlab' }]);
  });

  test('alone can lock, un-confirm or rename them: the network that entered the address first cannot', async () => {
    const email = 'olga@typed-first.org';
    const typed = await stranger(createUser, { body: invitation(email) });
    const [mail] = await mailsQueuedBy(testApp, () => owner(createUser, { body: invitation(email, 'northlab') }));
    await confirm(linkIn(mail));
    const { users: rows } = await owner(listUsers, {
      params: { serverId: north.id, serverName: 'northlab', keyword: email, lastId: 0 },
    });
    const id = rows[0]?.id ?? 0;
    const before = await stored(id);
    for (const mode of ['Disable', 'NonConfirmed'] as const)
      await stranger(changeUser, { params: { userId: typed.id, mode, serverName: 'southlab' } }).catch(() => undefined);
    await stranger(updateUser, {
      body: { id: typed.id, uid: typed.uid, sso_server_id: south.id, firstname: 'Evil', lastname: 'Twin' },
    }).catch(() => undefined);
    expect(await stored(id)).toEqual(before);
  });
});

describe('an invitation reveals nothing about the address to its sender', () => {
  /** Removes everything that differs from one person to the next. */
  const comparable = ({ id: _id, uid: _uid, email: _email, created: _created, ...rest }: Record<string, unknown>) =>
    rest;

  test('a new user gets the same answer and row, with an account elsewhere and without', async () => {
    const known = await makeUser(testApp.db, { firstname: 'Secret', lastname: 'Person', last_login_at: new Date() });
    const answers = [];
    for (const email of [known.email, 'nobody@told-nothing.org']) {
      const made = await stranger(createUser, { body: invitation(email) });
      const { users: rows } = await stranger(listUsers, {
        params: { serverId: south.id, serverName: 'southlab', keyword: email, lastId: 0 },
      });
      const shown = await stranger(getUser, { params: { user_id: made.id } });
      answers.push([made, rows[0] ?? {}, shown].map(comparable));
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]?.[0]).toMatchObject({ firstname: 'Typed', status: 'NonConfirmed', last_login: null });
    const found = await stranger(listUsers, {
      params: { serverId: south.id, serverName: 'southlab', keyword: 'Secret Person', lastId: 0 },
    });
    expect(found.users).toEqual([]);
  });

  test('an import gives the same answer, previewed and applied', async () => {
    const known = await makeUser(testApp.db);
    const row = (email: string) => ({ email, firstname: 'Typed', lastname: 'Name', groups: [] });
    for (const apply of [false, true]) {
      const { outcomes } = await stranger(importUsers, {
        params: { server_id: south.id, server_name: 'southlab' },
        body: { rows: [row(known.email), row('nobody@imported.org')], apply },
      });
      expect(outcomes[0]).toEqual(outcomes[1]);
    }
    const nameless = (email: string) => ({ ...row(email), firstname: '' });
    const { outcomes } = await stranger(importUsers, {
      params: { server_id: south.id, server_name: 'southlab' },
      body: { rows: [nameless((await makeUser(testApp.db)).email), nameless('nobody@nameless.org')], apply: false },
    });
    expect(outcomes[0]).toEqual(outcomes[1]);
  });

  test('makes nobody a member or owner before they accept', async () => {
    const known = await makeUser(testApp.db);
    const theirs = await as(known);
    await stranger(createUser, { body: invitation(known.email) });
    await stranger(createOwner, {
      params: { serverName: 'southlab' },
      body: { sso_server: 'southlab', sso_id: String(south.id), owner: known.email },
    });
    expect(await theirs(getRole, { params: { server: 'southlab' } })).toBe('user');
    const { user } = await theirs(getSession, {});
    expect(user).toMatchObject({ username: known.email });
  });

  test('sent again from one network does not affect the link of another', async () => {
    const email = 'pia@two-links.org';
    const [first] = await mailsQueuedBy(testApp, () => owner(createUser, { body: invitation(email, 'northlab') }));
    const typed = await stranger(createUser, { body: invitation(email) });
    await stranger(resendInvitation, { body: { user_id: typed.id, server_id: south.id } });
    await testApp.db.delete(throttles);
    await expect(anybody()(verifyToken, { body: linkIn(first) })).resolves.toMatchObject({ server: 'northlab' });
  });
});

describe("an owner's actions", () => {
  test('are limited to the network if a person belongs to others too', async () => {
    const person = await makeUser(testApp.db, { network: 'southlab', alsoIn: ['northlab'], owns: ['northlab'] });
    const theirs = await as({ ...person, default_network_id: north.id });
    await stranger(setUserMode, { params: { userId: person.id, mode: 'Disable' } });
    expect((await theirs(getSession, {})).user).toMatchObject({ username: person.email });
    expect(await theirs(getRole, { params: { server: 'northlab' } })).toBe('admin');
    expect(await stored(person.id)).toMatchObject({ user_mode: 'Active', status: 'Confirmed' });
    expect(await stranger(getUser, { params: { user_id: person.id } })).toMatchObject({ user_mode: 'Disable' });
    await stranger(changeUser, { params: { userId: person.id, mode: 'NonConfirmed', serverName: 'southlab' } });
    expect(await stored(person.id)).toMatchObject({ user_mode: 'Active', status: 'Confirmed' });
    const body = { id: person.id, uid: person.uid, sso_server_id: south.id, firstname: 'Evil', lastname: 'Twin' };
    await expect(stranger(updateUser, { body })).rejects.toMatchObject({ status: 403 });
    await stranger(removeUser, {
      body: { id: person.id, uid: person.uid, server_id: south.id, sso_server: 'southlab' },
    });
    expect((await theirs(getSession, {})).user).toMatchObject({ username: person.email });
  });

  test('affect the whole account if theirs is the only network', async () => {
    const person = await makeUser(testApp.db, { network: 'southlab' });
    const theirs = await as(person);
    await stranger(setUserMode, { params: { userId: person.id, mode: 'Disable' } });
    expect(await stored(person.id)).toMatchObject({ user_mode: 'Disable' });
    expect((await theirs(getSession, {})).user).toBe('no session');
  });

  test('of an owner of the main network affect the whole account', async () => {
    const person = await makeUser(testApp.db, { network: 'southlab', alsoIn: ['opensocial'] });
    const main = await as(await makeUser(testApp.db, { network: 'opensocial', owns: ['opensocial'] }));
    await main(setUserMode, { params: { userId: person.id, mode: 'Disable' } });
    expect(await stored(person.id)).toMatchObject({ user_mode: 'Disable' });
  });
});

describe('a member who is disabled or un-confirmed in one of several networks', () => {
  test.each(['Disable', 'NonConfirmed'] as const)(
    '%s closes its sites, its console and its ownership',
    async (mode) => {
      const person = await makeUser(testApp.db, { network: 'southlab', owns: ['southlab'], alsoIn: ['northlab'] });
      const sites = {
        southlab: await makeSite(testApp.db, { network: 'southlab' }),
        northlab: await makeSite(testApp.db),
      };
      const open = (browser: Browser, network: 'southlab' | 'northlab') =>
        browser.get(`/saml/${network}/start/${sites[network].id}`);
      const browser = testApp.browser();
      await browser.submit(await open(browser, 'southlab'), { email: person.email, password });
      expect(isSignedIn(await open(browser, 'southlab'))).toBe(true);
      const theirs = await as(person);
      const list = () => theirs(listUsers, { params: { serverId: south.id, serverName: 'southlab', lastId: 0 } });
      await list();

      await stranger(changeUser, { params: { userId: person.id, mode, serverName: 'southlab' } });
      expect(isSignedIn(await open(browser, 'northlab'))).toBe(true);
      const again = await open(browser, 'southlab');
      expect((await browser.submit(again, { email: person.email, password })).status).toBe(403);
      await expect(list()).rejects.toMatchObject({ status: 404 });
      expect(await theirs(getRole, { params: { server: 'southlab' } })).toBe('user');
      expect((await theirs(listOwnNetworks, {})).networks.map(({ server }) => server)).toEqual(['northlab']);
      const { owners } = await stranger(listOwners, {
        params: { serverName: 'southlab', serverId: south.id, keyword: person.email, lastId: 0 },
      });
      expect(owners).toMatchObject([{ effective: false }]);

      const back = mode === 'Disable' ? 'Active' : 'Confirmed';
      await stranger(changeUser, { params: { userId: person.id, mode: back, serverName: 'southlab' } });
      expect(await (await as(person))(getRole, { params: { server: 'southlab' } })).toBe('admin');
    },
  );
});

describe('a session that is nine hours old', () => {
  test('cannot take rights from another owner', async () => {
    const stale = await as(await makeUser(testApp.db, { owns: ['northlab'] }), hoursAgo(9));
    const other = await makeUser(testApp.db, { owns: ['northlab'] });
    const reauth = { status: 401, code: 'reauth_required' };
    for (const mode of ['Disable', 'NonConfirmed'] as const)
      await expect(
        stale(changeUser, { params: { userId: other.id, mode, serverName: 'northlab' } }),
      ).rejects.toMatchObject(reauth);
    await expect(stale(setUserMode, { params: { userId: other.id, mode: 'Disable' } })).rejects.toMatchObject(reauth);
    await expect(
      stale(removeUser, { body: { id: other.id, uid: other.uid, server_id: north.id, sso_server: 'northlab' } }),
    ).rejects.toMatchObject(reauth);
    const anyone = await makeUser(testApp.db);
    await stale(setUserMode, { params: { userId: anyone.id, mode: 'Disable' } });
  });

  test('cannot open a site to everybody by removing its last group', async () => {
    const stale = await as(await makeUser(testApp.db, { owns: ['northlab'] }), hoursAgo(9));
    const reauth = { status: 401, code: 'reauth_required' };
    const [one, other] = [await makeGroup(testApp.db), await makeGroup(testApp.db)];
    const site = await makeSite(testApp.db, { groups: [one.id, other.id] });
    await stale(unassignSite, { params: { group_id: one.id, site_id: site.id } });
    await expect(stale(unassignSite, { params: { group_id: other.id, site_id: site.id } })).rejects.toMatchObject(
      reauth,
    );
    await expect(stale(removeGroup, { params: { groupId: other.id } })).rejects.toMatchObject(reauth);
    const fresh = await as(await makeUser(testApp.db, { owns: ['northlab'] }));
    await fresh(removeGroup, { params: { groupId: other.id } });
  });
});

describe('what happens on the pages of a network reveals nothing about the address to its owner', () => {
  /** Opens a sign-in page of southlab. */
  const open = async () => {
    const browser = testApp.browser();
    const site = await makeSite(testApp.db, { network: 'southlab' });
    return { browser, site, page: await browser.get(`/saml/southlab/start/${site.id}`) };
  };
  const lines = async (site: { id: number }) => {
    const rows = await testApp.db.select().from(loginLog).where(eq(loginLog.site_id, site.id)).orderBy(loginLog.id);
    return rows.map(({ reason, user_id, mfa }) => ({ reason, user_id, mfa }));
  };

  test('the log has the same lines for wrong passwords, with an account elsewhere and without', async () => {
    await testApp.db.update(networkSettings).set({ failed_tries: 3 }).where(eq(networkSettings.network_id, north.id));
    const [known, disabled, invited] = [
      await makeUser(testApp.db),
      await makeUser(testApp.db, { user_mode: 'Disable' }),
      await makeUser(testApp.db),
    ];
    await stranger(createUser, { body: invitation(invited.email) });
    const told = [];
    for (const email of ['nobody@log-lines.org', known.email, disabled.email, invited.email]) {
      const { browser, site, page } = await open();
      let next = page;
      for (let guess = 0; guess < 12; guess += 1) next = await browser.submit(next, { email, password: 'a guess' });
      told.push(await lines(site));
      await testApp.db.delete(throttles);
    }
    for (const other of told.slice(1)) expect(other).toEqual(told[0]);
    expect(told[0]?.[0]).toEqual({ reason: 'unknown address', user_id: null, mfa: null });
  });

  test('a line about a person who is not a member does not have their name', async () => {
    const person = await makeUser(testApp.db, { firstname: 'Secret', lastname: 'Person' });
    const { browser, site, page } = await open();
    expect((await browser.submit(page, { email: person.email, password })).status).toBe(403);
    const [line] = await testApp.db.select().from(loginLog).where(eq(loginLog.site_id, site.id));
    expect(line).toMatchObject({ reason: 'not a member of the network', email: person.email });
    const shown = await stranger(getActivityLine, { params: { server: 'southlab', id: line?.id ?? 0 } });
    expect(JSON.stringify(shown)).not.toContain('Secret');
  });

  test('a sign-up adds the same row, with an account elsewhere and without', async () => {
    await testApp.db.update(networkSettings).set({ sign_up: 'Enable' }).where(eq(networkSettings.network_id, south.id));
    const known = await makeUser(testApp.db, { firstname: 'Secret', lastname: 'Person' });
    const rows = [];
    for (const email of [known.email, 'nobody@signed-up.org']) {
      const { browser, page } = await open();
      const form = await browser.get(`${page.url}/sign-up`);
      const mails = await mailsQueuedBy(testApp, () =>
        browser.submit(form, { email, firstname: 'Typed', lastname: 'Name' }),
      );
      expect(mails.map(({ to }) => to)).toEqual([email]);
      const found = await stranger(listUsers, {
        params: { serverId: south.id, serverName: 'southlab', keyword: email, lastId: 0 },
      });
      rows.push(
        found.users.map(({ fullname, status, user_mode, last_login }) => ({ fullname, status, user_mode, last_login })),
      );
    }
    expect(rows[0]).toEqual(rows[1]);
    expect(rows[0]).toMatchObject([{ fullname: 'Typed Name', status: 'NonConfirmed', last_login: null }]);
  });
});

describe('what an owner sees of a member', () => {
  test('does not include visits to other networks, nor whether a removal has left them an account', async () => {
    const told = [];
    for (const alsoIn of [[], ['northlab']]) {
      const person = await makeUser(testApp.db, { network: 'southlab', alsoIn });
      const browser = testApp.browser();
      const site = await makeSite(testApp.db);
      await browser.submit(await browser.get(`/saml/northlab/start/${site.id}`), { email: person.email, password });
      const { last_login } = await stranger(getUser, { params: { user_id: person.id } });
      await stranger(removeUser, {
        body: { id: person.id, uid: person.uid, server_id: south.id, sso_server: 'southlab' },
      });
      const [record] = await testApp.db.select().from(auditRecords).orderBy(desc(auditRecords.id)).limit(1);
      told.push({ last_login, removed: Object.keys(record?.old_data as object) });
    }
    expect(told[1]).toEqual({ last_login: null, removed: ['email', 'fullname'] });
    expect(told[0]?.removed).toEqual(told[1]?.removed);
  });

  test('does not reveal whether another network lists them as an owner', async () => {
    const stale = await as(await makeUser(testApp.db, { network: 'southlab', owns: ['southlab'] }), hoursAgo(9));
    const person = await makeUser(testApp.db, { network: 'southlab' });
    await owner(createOwner, {
      params: { serverName: 'northlab' },
      body: { sso_server: 'northlab', sso_id: String(north.id), owner: person.email },
    });
    await expect(stale(setUserMode, { params: { userId: person.id, mode: 'Disable' } })).resolves.toBeDefined();
  });

  test('is neither the address nor the account of a person who declines', async () => {
    const person = await makeUser(testApp.db);
    await stranger(createUser, { body: invitation(person.email) });
    await (await as(person))(declineInvitation, { params: { server: 'southlab' } });
    const [record] = await testApp.db.select().from(auditRecords).orderBy(desc(auditRecords.id)).limit(1);
    expect(record).toMatchObject({ actor: 'invited person', actor_id: null, ip_address: null });
  });

  test('does not include the IP address of changes to their own account, if they belong to other networks too', async () => {
    const addresses = [];
    for (const alsoIn of [[], ['northlab']]) {
      const person = await makeUser(testApp.db, { network: 'southlab', alsoIn });
      const body = { id: person.id, email: person.email, first_name: 'New', last_name: 'Name' };
      await (await as(person))(updateName, { body });
      const [record] = await testApp.db.select().from(auditRecords).orderBy(desc(auditRecords.id)).limit(1);
      addresses.push(record?.ip_address);
    }
    expect(addresses).toEqual(['127.0.0.1', null]);
  });
});

describe('rights over a network', () => {
  test('are not restored, given up or created from a session that is nine hours old', async () => {
    const reauth = { status: 401, code: 'reauth_required' };
    const [one, other] = [
      await makeUser(testApp.db, { owns: ['northlab'] }),
      await makeUser(testApp.db, { owns: ['northlab'], alsoIn: ['southlab'] }),
    ];
    const fired = await makeUser(testApp.db, { owns: ['northlab'] });
    await owner(setUserMode, { params: { userId: fired.id, mode: 'Disable' } });
    const stale = await as(one, hoursAgo(9));
    await expect(stale(setUserMode, { params: { userId: fired.id, mode: 'Active' } })).rejects.toMatchObject(reauth);
    await expect(
      (await as(other, hoursAgo(9)))(leaveNetwork, { params: { server: 'northlab' } }),
    ).rejects.toMatchObject(reauth);
    const main = await as(await makeUser(testApp.db, { network: 'opensocial', owns: ['opensocial'] }), hoursAgo(9));
    await expect(main(createNetwork, { body: { name: 'stalelab', owner: 'x@stalelab.org' } })).rejects.toMatchObject(
      reauth,
    );
  });

  test('end in the console too when another owner ends the sessions of an owner', async () => {
    const colleague = await makeUser(testApp.db, { owns: ['northlab'], alsoIn: ['southlab'] });
    const theirs = await as(colleague, hoursAgo(0.1));
    const list = () => theirs(listUsers, { params: { serverId: north.id, serverName: 'northlab', lastId: 0 } });
    await list();
    await owner(endUserSessions, { body: { user_id: colleague.id, server_id: north.id } });
    await expect(list()).rejects.toMatchObject({ status: 401, code: 'reauth_required' });
    expect((await theirs(getSession, {})).user).toMatchObject({ username: colleague.email });
  });

  test('are not lost by an old invitation when the operator makes somebody an owner', async () => {
    const person = await makeUser(testApp.db);
    await stranger(createUser, { body: invitation(person.email) });
    const network = await networkNamed(testApp.db, 'southlab');
    await testApp.db.transaction((tx) => addOwner(tx, testApp.parts, network, person.email, { withMail: false }));
    const { users: rows } = await stranger(listUsers, {
      params: { serverId: south.id, serverName: 'southlab', keyword: person.email, lastId: 0 },
    });
    expect(rows.map(({ id }) => id)).toEqual([person.id]);
    expect(await (await as(person))(getRole, { params: { server: 'southlab' } })).toBe('admin');
  });
});

describe('a person', () => {
  test('whose invitation was disabled by its network can still confirm that of another one', async () => {
    const email = 'newcomer@blocked.org';
    const [trap] = await mailsQueuedBy(testApp, () => stranger(createUser, { body: invitation(email) }));
    const [honest] = await mailsQueuedBy(testApp, () => owner(createUser, { body: invitation(email, 'northlab') }));
    const { users: rows } = await stranger(listUsers, {
      params: { serverId: south.id, serverName: 'southlab', keyword: email, lastId: 0 },
    });
    await stranger(setUserMode, { params: { userId: rows[0]?.id ?? 0, mode: 'Disable' } });
    await expect(confirm(linkIn(trap))).rejects.toMatchObject({ code: 'token_used' });
    await confirm(linkIn(honest));
  });

  test('who is disabled in a network cannot return by leaving it and signing up again', async () => {
    const banned = await makeUser(testApp.db, { network: 'southlab', alsoIn: ['northlab'] });
    await stranger(setUserMode, { params: { userId: banned.id, mode: 'Disable' } });
    const theirs = await as({ ...banned, default_network_id: north.id });
    await expect(theirs(leaveNetwork, { params: { server: 'southlab' } })).rejects.toMatchObject({ status: 404 });
    await expect(theirs(acceptInvitation, { params: { server: 'southlab' } })).rejects.toMatchObject({ status: 404 });
  });

  test('is unlocked by an owner only with a fresh sign-in, which is audited', async () => {
    const person = await makeUser(testApp.db, { network: 'southlab' });
    const site = await makeSite(testApp.db, { network: 'southlab' });
    const browser = testApp.browser();
    const page = await browser.get(`/saml/southlab/start/${site.id}`);
    await browser.submit(page, { email: person.email, password: 'a guess' });
    const params = { userId: person.id, mode: 'Active' as const };
    const stale = await as(await makeUser(testApp.db, { network: 'southlab', owns: ['southlab'] }), hoursAgo(9));
    await expect(stale(setUserMode, { params })).rejects.toMatchObject({ code: 'reauth_required' });
    await stranger(setUserMode, { params });
    const [record] = await testApp.db.select().from(auditRecords).orderBy(desc(auditRecords.id)).limit(1);
    expect(record).toMatchObject({ description: `update user ${person.email}`, new_data: { unlocked: true } });
    await stale(setUserMode, { params });
  });
});
