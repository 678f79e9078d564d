import {
  createNetwork,
  getNetworkDetails,
  getNetworkName,
  getRole,
  getSsoId,
  listNetworks,
  listNetworksBySites,
  searchNetworks,
  setNetworkMode,
} from '@opensocial/contract';
import { desc, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { auditRecords, memberships, networks, owners, users } from '../../database/schema.ts';
import { makeSite, makeUser, networkNamed, signInto } from '../../testing/app/builders.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await buildTestApp();
});

const as = async (user: typeof users.$inferSelect) => testApp.as(await signInto(testApp.db, testApp.browser(), user));

/** A member of many networks, which share one key. */
const memberOfMany = async (names: string[]) => {
  const user = await makeUser(testApp.db);
  const made = await testApp.db
    .insert(networks)
    .values(names.map((name) => ({ name, sso_id: crypto.randomUUID() })))
    .returning();
  await testApp.db.insert(memberships).values(made.map(({ id }) => ({ network_id: id, user_id: user.id })));
  return user;
};

describe("§7.1 a user's networks", () => {
  test('are paged by name, with the total', async () => {
    const names = ['alpha', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot', 'golf'];
    const user = await memberOfMany(names);
    const call = await as(user);
    const first = await call(listNetworks, { params: { username: user.email, lastid: 0 } });
    expect(first.data.map(({ url }) => url)).toEqual(names.slice(0, 5));
    expect(first.all_servers).toBe(8);
    const second = await call(listNetworks, { params: { username: user.email, lastid: first.data.at(-1)?.id ?? 0 } });
    expect(second.data.map(({ url }) => url)).toEqual(['foxtrot', 'golf', 'northlab']);
    expect(second.all_servers).toBe(8);
  });

  test('§2.4 are sorted by name in descending order as a whole, also with a search', async () => {
    const user = await memberOfMany(['sort-a', 'sort-b', 'sort-c', 'sort-d', 'sort-e', 'sort-f']);
    const call = await as(user);
    const query = { sort: '-name' } as const;
    const params = { username: user.email, lastid: 0 };
    const first = await call(listNetworks, { params, query });
    expect(first.data.map(({ url }) => url)).toEqual(['sort-f', 'sort-e', 'sort-d', 'sort-c', 'sort-b']);
    const second = await call(listNetworks, { params: { ...params, lastid: first.data.at(-1)?.id ?? 0 }, query });
    expect(second.data.map(({ url }) => url)).toEqual(['sort-a', 'northlab']);
    const found = await call(searchNetworks, { params: { ...params, keyword: 'sort' }, query });
    expect(found.data[0]?.url).toBe('sort-f');
    await expect(call(listNetworks, { params, query: { sort: 'sso_id' as 'name' } })).rejects.toMatchObject({
      status: 400,
    });
  });

  test('stay in order if a name changes between two pages; a deleted cursor is reported', async () => {
    const user = await memberOfMany(['hotel', 'india', 'juliet', 'kilo', 'lima', 'mike']);
    const call = await as(user);
    const first = await call(listNetworks, { params: { username: user.email, lastid: 0 } });
    const last = first.data.at(-1);
    await testApp.db
      .update(networks)
      .set({ name: 'aaa' })
      .where(eq(networks.id, first.data[0]?.id ?? 0));
    const params = { username: user.email, lastid: last?.id ?? 0 };
    expect((await call(listNetworks, { params })).data.map(({ url }) => url)).toEqual(['mike', 'northlab']);
    const { id: foreign } = await networkNamed(testApp.db, 'southlab');
    await expect(call(listNetworks, { params: { ...params, lastid: foreign } })).rejects.toMatchObject({ status: 410 });
    await testApp.db.delete(networks).where(eq(networks.id, last?.id ?? 0));
    await expect(call(listNetworks, { params })).rejects.toMatchObject({ status: 410, code: 'cursor_gone' });
  });

  test('are searched by any part of the name, with special characters taken literally', async () => {
    const user = await memberOfMany(['north-west', 'no-rth', 'nxrth']);
    const call = await as(user);
    const search = async (keyword: string) => {
      const { data, all_servers } = await call(searchNetworks, {
        params: { username: user.email, keyword, lastid: 0 },
      });
      expect(all_servers).toBe(data.length);
      return data.map(({ url }) => url);
    };
    expect(await search('ORTH')).toEqual(['north-west', 'northlab']);
    expect(await search('n_rth')).toEqual([]);
    expect(await search('%%')).toEqual([]);
    await expect(search('n')).rejects.toMatchObject({ status: 400 });
  });

  test('have the role and the number of sites', async () => {
    const user = await makeUser(testApp.db, { alsoIn: ['southlab'], owns: ['southlab'] });
    await makeSite(testApp.db, { network: 'southlab' });
    const call = await as(user);
    expect(await call(listNetworksBySites, {})).toMatchObject([
      { url: 'northlab', role: 'user', sites: 0 },
      { url: 'southlab', role: 'admin', sites: 1 },
    ]);
    expect(await call(getRole, { params: { server: 'southlab' } })).toBe('admin');
    expect(await call(getRole, { params: { server: 'northlab' } })).toBe('user');
    expect(await call(getRole, { params: { server: 'nowhere' } })).toBe('user');
  });

  test('have an id and a name for their members', async () => {
    const call = await as(await makeUser(testApp.db));
    const network = await networkNamed(testApp.db, 'northlab');
    expect(await call(getSsoId, { params: { server: 'northlab' } })).toEqual({ sso_id: network.sso_id });
    expect(await call(getNetworkName, { params: { id: network.id } })).toEqual({ name: 'northlab' });
  });
});

describe('a network', () => {
  test('shows its numbers and its identity provider to members', async () => {
    const user = await makeUser(testApp.db, { network: 'southlab' });
    const { id } = await networkNamed(testApp.db, 'southlab');
    const details = await (await as(user))(getNetworkDetails, { params: { server: 'southlab', id } });
    expect(details).toMatchObject({
      url: 'southlab',
      role: 'user',
      entity_id: 'http://localhost:8080/saml/southlab/metadata',
      sso_url: 'http://localhost:8080/saml/southlab/sso',
      slo_url: 'http://localhost:8080/saml/southlab/slo',
    });
    expect(details.users).toBeGreaterThan(0);
  });

  test('is created by an owner of the main network, who becomes a member; its owner is invited', async () => {
    const user = await makeUser(testApp.db, { network: 'opensocial', owns: ['opensocial'] });
    const call = await as(user);
    const made = await call(createNetwork, { body: { name: 'westlab', owner: 'New.Owner@westlab.org' } });
    expect(made).toMatchObject({ url: 'westlab', role: 'user' });
    expect(await testApp.db.select().from(owners).where(eq(owners.network_id, made.id))).toMatchObject([
      { email: 'new.owner@westlab.org' },
    ]);
    expect(
      (await call(searchNetworks, { params: { username: user.email, keyword: 'westlab', lastid: 0 } })).all_servers,
    ).toBe(1);
    await expect(call(createNetwork, { body: { name: 'westlab', owner: user.email } })).rejects.toMatchObject({
      status: 409,
    });
    await expect(call(createNetwork, { body: { name: 'search', owner: user.email } })).rejects.toMatchObject({
      status: 400,
    });
  });
});

describe('§6 owners', () => {
  test('an address that is not confirmed owns nothing yet', async () => {
    const user = await makeUser(testApp.db, { owns: ['northlab'] });
    const call = await as(user);
    expect(await call(getRole, { params: { server: 'northlab' } })).toBe('admin');
    await testApp.db.update(users).set({ status: 'NonConfirmed' }).where(eq(users.id, user.id));
    await expect(call(getRole, { params: { server: 'northlab' } })).rejects.toMatchObject({ status: 401 });
  });

  test('a removed owner is a user at the next request', async () => {
    const user = await makeUser(testApp.db, { owns: ['northlab'] });
    const call = await as(user);
    await call(setNetworkMode, { body: { server: 'northlab', mode: 'Visited' } });
    await testApp.db.delete(owners).where(eq(owners.email, user.email));
    await expect(call(setNetworkMode, { body: { server: 'northlab', mode: 'All' } })).rejects.toMatchObject({
      status: 403,
    });
  });
});

describe('§4 network mode', () => {
  test('is stored and audited', async () => {
    const user = await makeUser(testApp.db, { owns: ['southlab'], network: 'southlab' });
    const call = await as(user);
    expect(await call(setNetworkMode, { body: { server: 'southlab', mode: 'All' } })).toMatchObject({
      message: 'Network mode updated successfully',
    });
    expect(await networkNamed(testApp.db, 'southlab')).toMatchObject({ mode: 'All' });
    const [record] = await testApp.db.select().from(auditRecords).orderBy(desc(auditRecords.id)).limit(1);
    expect(record).toMatchObject({
      actor: user.email,
      action: 'update',
      old_data: { mode: 'AdminManaged' },
      new_data: { mode: 'All' },
      ip_address: '127.0.0.1',
    });
  });

  test('accepts one of three values', async () => {
    const call = await as(await makeUser(testApp.db, { owns: ['southlab'] }));
    await expect(
      call(setNetworkMode, { body: { server: 'southlab', mode: 'Everything' as 'All' } }),
    ).rejects.toMatchObject({ status: 400 });
  });
});
