import { generateKeyPairSync } from 'node:crypto';
import {
  createOidcSecret,
  createOidcSite,
  createSite,
  getOidcClient,
  getOidcEndpoints,
  getSite,
  listDesktopApps,
  listSigningKeySites,
  listSigningKeys,
  listSites,
  type OidcParameters,
  removeOidcSecret,
  removeSite,
  updateOidcClient,
  updateSiteAttributes,
  updateSiteInfo,
} from '@opensocial/contract';
import { desc, eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { auditRecords, oidcSecrets, sites, type users } from '../../database/schema.ts';
import { hashToken } from '../../secrets/tokens.ts';
import {
  makeOidcSite,
  makeSite,
  makeUser,
  networkNamed,
  oidcParameters,
  signInto,
} from '../../testing/app/builders.ts';
import { mailsQueuedBy } from '../../testing/app/queued-mails.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';

let testApp: TestApp;
let otherOwner: typeof users.$inferSelect;
let call: ReturnType<TestApp['as']>;
let stale: ReturnType<TestApp['as']>;
beforeAll(async () => {
  testApp = await buildTestApp();
  const owner = await makeUser(testApp.db, { owns: ['northlab'] });
  otherOwner = await makeUser(testApp.db, { owns: ['northlab'] });
  call = testApp.as(await signInto(testApp.db, testApp.browser(), owner));
  const hourAgo = new Date(Date.now() - 3_600_000);
  stale = testApp.as(await signInto(testApp.db, testApp.browser(), owner, hourAgo));
});

let count = 0;
const newDomain = () => `client-${(count += 1)}.northlab.org`;
const create = (changes: Partial<OidcParameters> = {}, domain = newDomain()) =>
  call(createOidcSite, { params: { server_name: 'northlab' }, body: { domain, ...oidcParameters(changes) } });
const update = (id: number, changes: Partial<OidcParameters> = {}, based_on?: number, by = call) =>
  by(updateOidcClient, { body: { id, ...oidcParameters(changes), ...(based_on !== undefined && { based_on }) } });
const read = (site_id: number) => call(getOidcClient, { params: { site_id } });
const secretsOf = (siteId: number) => testApp.db.select().from(oidcSecrets).where(eq(oidcSecrets.site_id, siteId));
const lastAudit = async () => {
  const [record] = await testApp.db.select().from(auditRecords).orderBy(desc(auditRecords.id)).limit(1);
  return record;
};
/** The queries that wait for a lock. */
const countWaiting = async () => {
  const { rows } = await testApp.db.execute<{ waiting: number }>(
    sql`select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0]?.waiting;
};
const refused = (code: string) => expect.objectContaining({ code });

const publicJwk = (type: 'rsa' | 'ec', options: object) =>
  generateKeyPairSync(type as 'rsa', options as { modulusLength: number }).publicKey.export({ format: 'jwk' });
const ecKey = publicJwk('ec', { namedCurve: 'P-256' });

describe('§7.12 registering a client', () => {
  test('gives it a random client id and a secret of which only the hash is stored', async () => {
    const [one, other] = [await create(), await create()];
    for (const { client_id, secret } of [one, other]) {
      expect(client_id).toMatch(/^[0-9a-f]{32}$/);
      expect(secret).toMatch(/^[\w-]{43}$/);
    }
    expect(new Set([one.client_id, other.client_id, one.secret, other.secret]).size).toBe(4);
    const [stored] = await secretsOf(one.id);
    expect(stored?.secret_hash).toEqual(hashToken(one.secret));
    expect(one.secrets).toEqual([
      { id: stored?.id, hint: one.secret.slice(-4), created_at: stored?.created_at.toISOString() },
    ]);
    expect(JSON.stringify(await testApp.db.select().from(sites).where(eq(sites.id, one.id)))).not.toContain(one.secret);
  });

  test('is audited without the secret, and no later answer has it', async () => {
    const { id, domain, secret, ...client } = await create();
    const record = await lastAudit();
    expect(record).toMatchObject({ description: `create site ${domain}`, new_data: { protocol: 'oidc' } });
    expect(JSON.stringify(record)).not.toContain(secret);
    expect(await read(id)).toEqual({ id, domain, ...client });
  });

  test('a client that authenticates in another way has no secret', async () => {
    for (const changes of [
      { authentication: 'none' as const },
      { authentication: 'private_key_jwt' as const, jwks: { keys: [ecKey] } },
    ]) {
      const { id, secret, secrets } = await create(changes);
      expect({ secret, secrets, stored: await secretsOf(id) }).toEqual({ secret: '', secrets: [], stored: [] });
    }
  });

  test('the client id cannot be chosen', async () => {
    const body = { domain: newDomain(), ...oidcParameters(), client_id: 'grafana', identity: 'grafana' };
    await expect(call(createOidcSite, { params: { server_name: 'northlab' }, body })).rejects.toEqual(
      refused('invalid_input'),
    );
  });

  test('two sites may have the same redirect address, and the site is in the list with its protocol', async () => {
    const domain = newDomain();
    const one = await create({ redirect_uris: [`https://${domain}/callback`] }, domain);
    await create({ redirect_uris: [`https://${domain}/callback`] });
    const { id: server_id } = await networkNamed(testApp.db, 'northlab');
    const { sites: rows } = await call(listSites, {
      params: { server_id, sso_server: 'northlab', lastid: 0, keyword: domain },
    });
    expect(rows).toMatchObject([{ id: one.id, protocol: 'oidc', metadata_state: '' }]);
    expect(await call(getSite, { params: { site_id: one.id } })).toMatchObject({
      protocol: 'oidc',
      identity: one.client_id,
      site_name: domain,
    });
  });

  test('a SAML site cannot take its client id as its identity', async () => {
    const { client_id } = await create();
    const { id: server_id } = await networkNamed(testApp.db, 'northlab');
    const domain = newDomain();
    const body = { identity: client_id, acs: `https://${domain}/acs`, sls: '', domain };
    await expect(call(createSite, { params: { server_id, server_name: 'northlab' }, body })).rejects.toEqual(
      refused('site_exists'),
    );
  });

  test('the addresses of the provider are those of the network', async () => {
    const endpoints = await call(getOidcEndpoints, { params: { server_name: 'northlab' } });
    const issuer = `${testApp.parts.config.publicUrl}/oidc/northlab`;
    expect(endpoints).toMatchObject({ issuer, discovery: `${issuer}/.well-known/openid-configuration` });
    expect((await create()).endpoints).toEqual(endpoints);
  });

  test.for([
    ['an address with a fragment', { redirect_uris: ['https://a.org/#x'] }],
    ['an address with a wildcard', { redirect_uris: ['https://*.a.org/cb'] }],
    ['an address without TLS', { redirect_uris: ['http://a.org/cb'] }],
    ['an address with a user name', { redirect_uris: ['https://a.org@evil.org/cb'] }],
    ['a script', { redirect_uris: ['javascript:alert(1)'] }],
    ['no address', { redirect_uris: [] }],
    ['an address twice', { redirect_uris: ['https://a.org/cb', 'https://a.org/cb'] }],
    ['keys without their use', { jwks: { keys: [ecKey] } }],
    ['a signature without keys', { authentication: 'private_key_jwt' }],
    ['a private key', { authentication: 'private_key_jwt', jwks: { keys: [{ ...ecKey, d: 'AA' }] } }],
    ['a shared key', { authentication: 'private_key_jwt', jwks: { keys: [{ kty: 'oct', k: 'AA' }] } }],
  ] as [string, Partial<OidcParameters>][])('%s is refused', async ([, changes]) => {
    await expect(create(changes)).rejects.toEqual(refused('invalid_input'));
  });

  test.for([
    ['a short RSA key', () => publicJwk('rsa', { modulusLength: 1_024 })],
    ['a key on another curve', () => publicJwk('ec', { namedCurve: 'secp256k1' })],
    ['a point that is not on its curve', () => ({ ...ecKey, y: ecKey.x })],
    ['a member that is no text', () => ({ ...ecKey, kid: { toString: 1 } })],
    ['no key at all', () => ({ kty: 'RSA' })],
  ] as [string, () => Record<string, unknown>][])('%s is refused as a key', async ([, makeKey]) => {
    const jwks = { keys: [makeKey()] };
    await expect(create({ authentication: 'private_key_jwt', jwks })).rejects.toEqual(refused('jwks_refused'));
  });

  test('only the members of a public key are stored', async () => {
    const keys = [{ ...ecKey, kid: 'one', p: 'AA', note: 'mine' }];
    const { jwks } = await create({ authentication: 'private_key_jwt', jwks: { keys } });
    expect(jwks).toEqual({ keys: [{ ...ecKey, kid: 'one' }] });
  });

  test.for([
    ['back_channel_refused', { backchannel_logout_uri: 'https://127.0.0.1/logout' }],
    ['jwks_uri_refused', { authentication: 'private_key_jwt', jwks_uri: 'https://10.0.0.1/jwks' }],
    ['back_channel_refused', { backchannel_logout_uri: 'https://[::ffff:169.254.169.254]/' }],
  ] as [string, Partial<OidcParameters>][])('%s: an address inside the own network', async ([code, changes]) => {
    await expect(create(changes)).rejects.toEqual(refused(code));
    const { id } = await makeOidcSite(testApp.db);
    await expect(update(id, changes)).rejects.toEqual(refused(code));
  });
});

describe('§7.12 changing a client', () => {
  const moved = { redirect_uris: ['https://moved.northlab.org/callback'] };

  test('replaces its parameters, is audited, and tells the owners about other redirect addresses', async () => {
    const { id, domain, client_id } = await create();
    const mails = await mailsQueuedBy(testApp, async () => {
      expect(await update(id, moved)).toMatchObject({ ...oidcParameters(moved), client_id });
    });
    expect(mails.map(({ to }) => to)).toEqual([otherOwner.email]);
    expect(mails[0]?.text).toContain('https://moved.northlab.org/callback');
    expect(await lastAudit()).toMatchObject({
      description: `update site ${domain}`,
      old_data: { oidc: oidcParameters() },
      new_data: { oidc: oidcParameters(moved) },
    });
    const quiet = await mailsQueuedBy(testApp, () => update(id, { ...moved, algorithm: 'ES256' }));
    expect(quiet).toEqual([]);
  });

  test.for([
    ['redirect_uris', moved],
    ['post_logout_uris', { post_logout_uris: ['https://a.org/'] }],
    ['authentication', { authentication: 'none' }],
    ['backchannel_logout_uri', { backchannel_logout_uri: 'https://8.8.8.8/logout' }],
    ['frontchannel_logout_uri', { frontchannel_logout_uri: 'https://a.org/logout' }],
    ['algorithm', { algorithm: 'ES256' }],
    ['requires_pkce', { requires_pkce: false }],
    ['allows_offline', { allows_offline: true }],
    ['jwks', { authentication: 'private_key_jwt', jwks: { keys: [ecKey] } }],
    ['jwks_uri', { authentication: 'private_key_jwt', jwks_uri: 'https://8.8.8.8/jwks' }],
  ] as [keyof OidcParameters, Partial<OidcParameters>][])(
    'another %s needs a fresh sign-in',
    async ([name, changes]) => {
      const { id, [name]: before } = await create();
      await expect(update(id, changes, undefined, stale)).rejects.toEqual(refused('reauth_required'));
      expect((await read(id))[name]).toEqual(before);
      expect(await update(id, {}, undefined, stale)).toMatchObject({ id });
      expect((await update(id, changes))[name]).toEqual(changes[name]);
    },
  );

  test('of two people who change it, the second is refused, unless both want the same', async () => {
    const { id, version } = await create();
    await update(id, moved, version);
    await expect(update(id, { algorithm: 'ES256' }, version)).rejects.toEqual(refused('changed_meanwhile'));
    expect(await update(id, moved, version)).toMatchObject(moved);
  });

  test('a new secret in the meantime is no conflict', async () => {
    const { id, version } = await create();
    await call(createOidcSecret, { params: { site_id: id } });
    expect(await update(id, moved, version)).toMatchObject(moved);
  });

  test('a client that no longer authenticates with a secret loses its secrets, and may get one later', async () => {
    const { id } = await create();
    expect((await update(id, { authentication: 'none' })).secrets).toEqual([]);
    expect(await secretsOf(id)).toEqual([]);
    await expect(call(createOidcSecret, { params: { site_id: id } })).rejects.toEqual(refused('oidc_secret_unused'));
    expect((await update(id)).secrets).toEqual([]);
    expect((await call(createOidcSecret, { params: { site_id: id } })).secrets).toHaveLength(1);
  });

  test('a refused change keeps the secrets', async () => {
    const { id, version } = await create();
    await update(id, moved);
    await expect(update(id, { authentication: 'none' }, version)).rejects.toEqual(refused('changed_meanwhile'));
    expect(await secretsOf(id)).toHaveLength(1);
  });
});

describe('§7.12 the secrets of a client', () => {
  test('are at most two, also if several are asked for at once', async () => {
    const { id, secret } = await create();
    // Both requests are in progress before either can change the site.
    const attempts = await testApp.db.transaction(async (tx) => {
      await tx.select().from(sites).where(eq(sites.id, id)).for('update');
      const requests = [1, 2].map(() => call(createOidcSecret, { params: { site_id: id } }));
      await expect.poll(countWaiting, { timeout: 90_000 }).toBe(2);
      return { settled: Promise.allSettled(requests) };
    });
    const settled = await attempts.settled;
    const made = settled.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value.secret] : []));
    const reasons = settled.flatMap((attempt) => (attempt.status === 'rejected' ? [attempt.reason as unknown] : []));
    expect(reasons).toEqual([refused('oidc_secret_limit')]);
    expect((await secretsOf(id)).map(({ secret_hash }) => secret_hash)).toEqual([secret, ...made].map(hashToken));
  });

  test('can be removed one by one, which is audited by their last characters', async () => {
    const { id, secret, secrets } = await create();
    const made = await call(createOidcSecret, { params: { site_id: id } });
    expect(await lastAudit()).toMatchObject({ new_data: { secrets: [`…${made.secret.slice(-4)}`] } });
    const removed = { params: { site_id: id, secret_id: secrets[0]?.id ?? 0 } };
    await call(removeOidcSecret, removed);
    const record = await lastAudit();
    expect(record).toMatchObject({ old_data: { secrets: [`…${secret.slice(-4)}`] } });
    expect(JSON.stringify(record)).not.toContain(secret);
    expect((await secretsOf(id)).map(({ hint }) => hint)).toEqual([made.secret.slice(-4)]);
    await expect(call(removeOidcSecret, removed)).rejects.toEqual(refused('not_found'));
  });

  test('of another site cannot be removed through the own one', async () => {
    const [own, other] = [await create(), await create()];
    const params = { site_id: own.id, secret_id: other.secrets[0]?.id ?? 0 };
    await expect(call(removeOidcSecret, { params })).rejects.toEqual(refused('not_found'));
    expect(await secretsOf(other.id)).toHaveLength(1);
  });

  test('are deleted with the site', async () => {
    const { id } = await create();
    await call(removeSite, { params: { site_id: id, sso_server: 'northlab' } });
    expect(await secretsOf(id)).toEqual([]);
  });
});

describe('a site that uses OpenID Connect', () => {
  test('§7.12 is opened on the desktop at its login URL, or at its domain', async () => {
    const { id: server_id } = await networkNamed(testApp.db, 'northlab');
    const { id, domain } = await makeOidcSite(testApp.db, { login_url: null });
    const tile = async () => (await call(listDesktopApps, { params: { server_id } })).find((app) => app.id === id);
    expect(await tile()).toMatchObject({ login_url: `https://${domain}/` });
    const info = {
      id,
      site_name: 'Charts',
      icon_color: '',
      icon_background: '',
      text_color: '',
      text_background: '',
      icon_width: 61,
      icon: '',
      icon_bg: '',
    };
    const save = (login_url: string) =>
      call(updateSiteInfo, { params: { server: 'northlab' }, body: { ...info, login_url } });
    await save(`https://${domain}/`);
    expect(await testApp.db.select({ url: sites.login_url }).from(sites).where(eq(sites.id, id))).toEqual([
      { url: null },
    ]);
    await save(`https://${domain}/login/oidc`);
    expect(await tile()).toMatchObject({ login_url: `https://${domain}/login/oidc` });
  });

  test('§3 cannot be started through SAML', async () => {
    const { id } = await makeOidcSite(testApp.db);
    const started = await testApp.browser().get(`/saml/northlab/start/${id}`);
    expect(started.status).toBe(400);
    expect(started.html).toContain('This application is not registered');
    expect((await testApp.browser().get(`/saml/northlab/start/${(await makeSite(testApp.db)).id}`)).status).toBe(200);
  });

  test('§7.10 is not among the sites of the keys that sign SAML responses', async () => {
    const keyed = async () => {
      const { sites: rows, ...page } = await call(listSigningKeySites, {
        params: { server: 'northlab', lastid: 0, keyword: domain },
      });
      const { keys } = await call(listSigningKeys, { params: { server: 'northlab' } });
      return { rows, page, counts: keys.map((key) => key.sites) };
    };
    const domain = newDomain();
    const before = await keyed();
    await create({}, domain);
    expect(await keyed()).toEqual(before);
  });

  const claims = (changes: object = {}) => ({
    name_id_format: 'requested' as const,
    name_id_source: 'email' as const,
    attributes: [{ name: 'department', friendly_name: '', name_format: 'basic' as const, source: 'network' as const }],
    attribute_index: null,
    further_attributes: [],
    ...changes,
  });
  const claim = (name: string, name_format = 'basic') => ({ name, friendly_name: '', name_format, source: 'uid' });

  test('§7.12 has claims, but no NameID and no further lists', async () => {
    const { id: site_id } = await makeOidcSite(testApp.db);
    const save = (body: ReturnType<typeof claims>) => call(updateSiteAttributes, { params: { site_id }, body });
    expect(await save(claims())).toMatchObject(claims());
    for (const changes of [
      { name_id_format: 'persistent' },
      { name_id_format: 'unspecified', name_id_source: 'uid' },
      { attribute_index: 1 },
      { further_attributes: [{ index: 2, attributes: [] }] },
      { attributes: [claim('sub')] },
      { attributes: [claim('Email_Verified')] },
      { attributes: [claim('team'), claim('team', 'uri')] },
    ])
      await expect(save(claims(changes)), JSON.stringify(changes)).rejects.toEqual(refused('claims_refused'));
  });
});
