import {
  beginPasskey,
  createPasskey,
  createRecoveryCodes,
  getMfaSecret,
  getProfile,
  getSession,
  listPasskeys,
  maximumPasskeys,
  removeMfa,
  removePasskey,
  removeUser,
  renamePasskey,
  submitToken,
} from '@opensocial/contract';
import { eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  auditRecords,
  consoleSessions,
  identitySessions,
  passkeys,
  pendingPasskeys,
  users,
} from '../../database/schema.ts';
import { makePasskey, makeUser, networkNamed, signInto } from '../../testing/app/builders.ts';
import { mailsQueuedBy } from '../../testing/app/queued-mails.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';
import { eventually } from '../../testing/machine/eventually.ts';
import { codeOf } from '../../testing/services/authenticator.ts';
import { type Deviation, PasskeyDevice } from '../../testing/services/passkey-device.ts';
import { relyingParty } from './relying-party.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await buildTestApp();
});

const signedIn = async () => {
  const user = await makeUser(testApp.db);
  const browser = await signInto(testApp.db, testApp.browser(), user);
  const call = testApp.as(browser);
  const add = async (device = new PasskeyDevice(), name = 'My phone', deviation: Deviation = {}) =>
    call(createPasskey, { body: { name, passkey: device.make(await call(beginPasskey, {}), deviation) } });
  return {
    user,
    call,
    add,
    own: { params: { username: user.email } },
    held: async () => (await call(listPasskeys, {})).passkeys,
    grownOld: () =>
      testApp.db
        .update(consoleSessions)
        .set({ authenticated_at: new Date(Date.now() - 11 * 60_000) })
        .where(eq(consoleSessions.user_id, user.id)),
  };
};

const recordsOf = ({ id }: { id: number }) =>
  testApp.db.select().from(auditRecords).where(eq(auditRecords.actor_id, id)).orderBy(auditRecords.id);

describe('§2.5 passkeys: adding', () => {
  test('a passkey is listed with its name; the first returns recovery codes, and its owner is notified', async () => {
    const { user, call, add, held, own } = await signedIn();
    expect(await call(listPasskeys, {})).toEqual({ passkeys: [], possible: true });
    const device = new PasskeyDevice();
    let added: Awaited<ReturnType<typeof add>> | undefined;
    const mails = await mailsQueuedBy(testApp, async () => {
      added = await add(device, ' My phone ');
    });
    expect(added?.recovery_codes).toHaveLength(10);
    expect(mails).toMatchObject([{ to: user.email, subject: 'A passkey was added' }]);
    expect(mails[0]?.text).toContain("'My phone'");
    expect(await held()).toEqual([
      { id: expect.any(Number), name: 'My phone', backed_up: true, created: expect.any(String), last_used: null },
    ]);
    const [row] = await testApp.db.select().from(passkeys).where(eq(passkeys.user_id, user.id));
    expect(row).toMatchObject({ credential_id: device.credentialId, transports: ['hybrid', 'internal'] });
    const second = await mailsQueuedBy(testApp, async () => {
      expect((await add(new PasskeyDevice(), 'My key')).recovery_codes).toEqual([]);
    });
    expect(second).toHaveLength(1);
    expect(await call(getProfile, own)).toMatchObject({ recovery_codes: 10 });
    const records = await recordsOf(user);
    expect(records).toMatchObject([
      { description: 'update own passkeys', new_data: { name: 'My phone' } },
      { description: 'update own passkeys', new_data: { name: 'My key' } },
    ]);
    const [{ credentials_at } = { credentials_at: user.credentials_at }] = await testApp.db
      .select()
      .from(users)
      .where(eq(users.id, user.id));
    expect(credentials_at.getTime()).toBeGreaterThan(user.credentials_at.getTime());
  });

  test('the options contain our host, a random handle, no attestation and three algorithms', async () => {
    const { user, call, add } = await signedIn();
    const device = new PasskeyDevice();
    await add(device);
    const options = await call(beginPasskey, {});
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'OpenSocial' },
      user: { name: user.email, displayName: 'Ana Moreno' },
      pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: 'public-key', alg })),
      excludeCredentials: [{ id: device.credentialId.toString('base64url'), type: 'public-key' }],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
    });
    const handle = Buffer.from(options.user.id, 'base64url');
    expect(handle).toHaveLength(32);
    expect(options.user.id).toBe(device.handle);
    expect(Buffer.from(options.challenge, 'base64url')).toHaveLength(32);
    expect((await call(beginPasskey, {})).challenge).not.toBe(options.challenge);
    const other = await signedIn();
    expect((await other.call(beginPasskey, {})).user.id).not.toBe(options.user.id);
  });

  test.each(['ES256', 'EdDSA', 'RS256'] as const)('keys of %s are accepted', async (algorithm) => {
    const { add, held } = await signedIn();
    await add(new PasskeyDevice(algorithm));
    expect(await held()).toHaveLength(1);
  });

  test.each<[string, Deviation]>([
    ['another origin', { origin: 'http://localhost:8081' }],
    ['another host', { rpId: 'evil.example' }],
    ['another challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
    ['a frame', { crossOrigin: true }],
    ["a frame of somebody else's page", { topOrigin: 'https://evil.example' }],
    ['an answer to another question', { type: 'webauthn.get' }],
    ['nobody there', { isPresent: false, isVerified: false }],
    ['nobody verified', { isVerified: false }],
  ])('refused: %s', async (_what, deviation) => {
    const { add, held } = await signedIn();
    await expect(add(new PasskeyDevice(), 'Mine', deviation)).rejects.toMatchObject({ code: 'passkey_refused' });
    expect(await held()).toEqual([]);
  });

  test('refused: an algorithm that was not offered, and malformed data', async () => {
    const { call, add, held } = await signedIn();
    await expect(add(new PasskeyDevice('ES384'))).rejects.toMatchObject({ code: 'passkey_refused' });
    const passkey = new PasskeyDevice().make(await call(beginPasskey, {}));
    for (const attestationObject of ['', 'AAAA', passkey.response.attestationObject.slice(0, 80)]) {
      await call(beginPasskey, {});
      const response = { ...passkey.response, attestationObject };
      await expect(
        call(createPasskey, { body: { name: 'Mine', passkey: { ...passkey, response } } }),
      ).rejects.toMatchObject({ code: 'passkey_refused' });
    }
    expect(await held()).toEqual([]);
  });

  test('a challenge is valid once, for ten minutes, and in the session that requested it', async () => {
    const { call, held } = await signedIn();
    const send = (caller: typeof call, passkey: ReturnType<PasskeyDevice['make']>) =>
      caller(createPasskey, { body: { name: 'Mine', passkey } });
    const refused = { code: 'passkey_refused' };
    const first = new PasskeyDevice().make(await call(beginPasskey, {}));
    const other = await signedIn();
    await other.call(beginPasskey, {});
    await expect(send(other.call, first)).rejects.toMatchObject(refused);
    await send(call, first);
    await expect(send(call, first)).rejects.toMatchObject(refused);
    const late = new PasskeyDevice().make(await call(beginPasskey, {}));
    await testApp.db.update(pendingPasskeys).set({ expires_at: sql`now() - interval '1 second'` });
    await expect(send(call, late)).rejects.toMatchObject(refused);
    const parallel = new PasskeyDevice().make(await call(beginPasskey, {}));
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => send(call, parallel)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await held()).toHaveLength(2);
  });

  test('one key can be only one passkey, for all users', async () => {
    const [one, other] = [await signedIn(), await signedIn()];
    const device = new PasskeyDevice();
    await one.add(device);
    for (const { add } of [one, other])
      await expect(add(device)).rejects.toMatchObject({ status: 409, code: 'passkey_exists' });
    expect(await other.held()).toEqual([]);
  });

  test('at most 20, also with concurrent requests', async () => {
    const { user, call, held } = await signedIn();
    for (let made = 1; made < maximumPasskeys; made += 1) await makePasskey(testApp.db, user);
    const sessions = [
      call,
      testApp.as(await signInto(testApp.db, testApp.browser(), user)),
      testApp.as(await signInto(testApp.db, testApp.browser(), user)),
    ];
    await testApp.db.update(identitySessions).set({ mfa: 'passkey' }).where(eq(identitySessions.user_id, user.id));
    const begun = await Promise.all(
      sessions.map(async (session) => ({ session, options: await session(beginPasskey, {}) })),
    );
    const outcomes = await Promise.allSettled(
      begun.map(({ session, options }) =>
        session(createPasskey, { body: { name: 'Last', passkey: new PasskeyDevice().make(options) } }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await held()).toHaveLength(maximumPasskeys);
    await expect(call(beginPasskey, {})).rejects.toMatchObject({ status: 409, code: 'passkey_limit' });
  });

  test('a name is one line of 1 to 60 characters', async () => {
    const { call, add, held } = await signedIn();
    for (const name of ['', '  ', 'two\nlines', 'x'.repeat(61)])
      await expect(add(new PasskeyDevice(), name)).rejects.toMatchObject({ status: 400, code: 'invalid_input' });
    await add(new PasskeyDevice(), '<b>Ana’s</b> phone');
    const [mine] = await held();
    const rename = (name: string) => call(renamePasskey, { params: { id: mine?.id ?? 0 }, body: { name } });
    await expect(rename(' ')).rejects.toMatchObject({ status: 400 });
    await rename('Work phone');
    expect(await held()).toMatchObject([{ name: 'Work phone' }]);
  });
});

describe('§2.5 passkeys: removing', () => {
  test('ends the other sessions, is notified by mail and audited', async () => {
    const { user, call, add, held } = await signedIn();
    const elsewhere = testApp.as(await signInto(testApp.db, testApp.browser(), user));
    await add();
    const [mine] = await held();
    const mails = await mailsQueuedBy(testApp, () => call(removePasskey, { params: { id: mine?.id ?? 0 } }));
    expect(mails).toMatchObject([{ to: user.email, subject: 'A passkey was removed' }]);
    expect(await held()).toEqual([]);
    expect((await elsewhere(getSession, {})).user).toBe('no session');
    const records = await recordsOf(user);
    expect(records.at(-1)).toMatchObject({ old_data: { name: 'My phone' } });
  });

  test('adding and removing need a sign-in of the last ten minutes; renaming does not', async () => {
    const { call, add, held, grownOld } = await signedIn();
    await add();
    const [mine] = await held();
    const params = { id: mine?.id ?? 0 };
    await grownOld();
    const stale = { status: 401, code: 'reauth_required' };
    await expect(call(beginPasskey, {})).rejects.toMatchObject(stale);
    await expect(call(removePasskey, { params })).rejects.toMatchObject(stale);
    await call(renamePasskey, { params, body: { name: 'Old phone' } });
    expect(await held()).toMatchObject([{ name: 'Old phone' }]);
  });

  test('a foreign passkey is not found', async () => {
    const [one, other] = [await signedIn(), await signedIn()];
    await one.add();
    const [theirs] = await one.held();
    const params = { id: theirs?.id ?? 0 };
    const gone = { status: 404, code: 'not_found' };
    await expect(other.call(removePasskey, { params })).rejects.toMatchObject(gone);
    await expect(other.call(renamePasskey, { params, body: { name: 'Mine now' } })).rejects.toMatchObject(gone);
    expect(await one.held()).toEqual([theirs]);
  });

  test('recovery codes stay as long as there is an authenticator app or a passkey', async () => {
    const { user, call, add, held, own } = await signedIn();
    const email = { email: user.email };
    const codes = async () => (await call(getProfile, own)).recovery_codes;
    await expect(call(createRecoveryCodes, { body: email })).rejects.toMatchObject({ status: 409 });
    await add();
    expect((await call(createRecoveryCodes, { body: email })).recovery_codes).toHaveLength(10);
    const { key } = await call(getMfaSecret, own);
    await call(submitToken, { body: { secret: key, token: codeOf(key), ...email } });
    await call(removeMfa, { body: { token: codeOf(key, 1), ...email } });
    expect(await codes()).toBe(10);
    const [mine] = await held();
    await call(removePasskey, { params: { id: mine?.id ?? 0 } });
    expect(await codes()).toBe(0);
  });

  test('they are deleted with the account', async () => {
    const { user, add } = await signedIn();
    await add();
    const owner = await makeUser(testApp.db, { owns: ['northlab'] });
    const asOwner = testApp.as(await signInto(testApp.db, testApp.browser(), owner));
    const { id } = await networkNamed(testApp.db, 'northlab');
    await asOwner(removeUser, { body: { id: user.id, server_id: id, uid: user.uid, sso_server: 'northlab' } });
    expect(await testApp.db.$count(passkeys, eq(passkeys.user_id, user.id))).toBe(0);
  });
});

test.each([
  ['https://sso.example.org', 'sso.example.org'],
  ['https://sso.example.org:8443', 'sso.example.org'],
  ['http://localhost:8080', 'localhost'],
  ['http://sso.localhost', 'sso.localhost'],
  ['http://sso.example.org', undefined],
  ['https://192.0.2.7', undefined],
  ['http://127.0.0.1:8080', undefined],
  ['https://[2001:db8::1]', undefined],
])('passkeys are bound to the host name of %s, if browsers support it', (publicUrl, id) => {
  const party = relyingParty({ publicUrl, isHttps: publicUrl.startsWith('https:') });
  expect(party).toEqual(id && { id, origin: publicUrl });
});

test('if our address has no such name, passkeys are reported as impossible and cannot be created', async () => {
  const bare = await buildTestApp({ PUBLIC_URL: 'http://127.0.0.1:8080' });
  const call = bare.as(await signInto(bare.db, bare.browser(), await makeUser(bare.db)));
  expect(await call(listPasskeys, {})).toEqual({ passkeys: [], possible: false });
  await expect(call(beginPasskey, {})).rejects.toMatchObject({ status: 409, code: 'passkey_impossible' });
  const page = await bare.browser().get('http://127.0.0.1:8080/server/saml/login');
  expect(page.html).not.toMatch(/passkey|<script/);
});

test('a session that ends while a passkey is begun is answered with 404, not with an error of the server', async () => {
  const { user, call } = await signedIn();
  const client = await testApp.pool.connect();
  try {
    await client.query('begin');
    await client.query('delete from console_sessions where user_id = $1', [user.id]);
    const begun = call(beginPasskey, {}).catch((error: unknown) => error);
    const isBlocked = async () => {
      const { rowCount } = await testApp.pool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      expect(rowCount).toBe(1);
    };
    await eventually(isBlocked);
    await client.query('commit');
    expect(await begun).toMatchObject({ code: 'not_found' });
  } finally {
    client.release();
  }
});
