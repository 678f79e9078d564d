import { confirmSignup, verifyToken } from '@opensocial/contract';
import { desc, eq } from 'drizzle-orm';
import type pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { ConfigError } from '../config.ts';
import { connect, type Database } from '../database/connect.ts';
import { auditRecords, memberships, oneTimeTokens, passkeys, users } from '../database/schema.ts';
import { createVault } from '../secrets/encryption.ts';
import { makePasskey, makeUser, networkNamed, password } from '../testing/app/builders.ts';
import { browserAt, callerOf, signIn } from '../testing/app/over-http.ts';
import { testOrigin } from '../testing/app/test-parts.ts';
import { afterFile } from '../testing/machine/cleanup.ts';
import { makeDataFolder, postmasterOf } from '../testing/machine/data-folder.ts';
import { makeDatabase, urlOf } from '../testing/machine/database.ts';
import { eventually } from '../testing/machine/eventually.ts';
import { templateName } from '../testing/machine/global-setup.ts';
import { allowForStarts, ServerProcess } from '../testing/machine/server-process.ts';
import { openSmtpServer } from '../testing/services/smtp-server.ts';
import { readRecoverCommand } from './recover-command.ts';

allowForStarts();

const secretKey = 'a secret key that only tests use';
const newPassword = 'a new password of the owner';

let where: pg.ClientConfig;
let db: Database;
let environment: Record<string, string>;
let server: ServerProcess;
let smtp: Awaited<ReturnType<typeof openSmtpServer>>;
beforeAll(async () => {
  where = await makeDatabase(templateName);
  const connection = connect(where, () => undefined);
  afterFile(connection.close);
  db = connection.db;
  smtp = await openSmtpServer();
  afterFile(smtp.close);
  environment = {
    DATABASE_URL: urlOf(where),
    DATA_DIR: await makeDataFolder(),
    SECRET_KEY: secretKey,
    SMTP_URL: smtp.url,
    PUBLIC_URL: testOrigin,
    OWNER_MFA: 'off',
  };
  server = await ServerProcess.start(environment);
});

const recover = (args: string[], input?: string, settings = environment) =>
  ServerProcess.run(settings, { program: 'dist/cli/recover.js', args, ...(input !== undefined && { input }) });

const linkIn = (text: string) => {
  const { searchParams } = new URL(/http\S+\/set-password\S+/.exec(text)?.[0] ?? '');
  return { email: searchParams.get('email') ?? '', code: searchParams.get('token') ?? '' };
};

const call = () => callerOf(browserAt(server.address));
const stateOf = async (id: number) => (await db.select().from(users).where(eq(users.id, id)))[0];
const newestRecord = async () => (await db.select().from(auditRecords).orderBy(desc(auditRecords.id)).limit(1))[0];

describe('npm run recover', () => {
  test('reads an address and options, and prints its usage for anything else', () => {
    expect(readRecoverCommand(['Ana@Northlab.org', '--yes'])).toEqual({
      email: 'ana@northlab.org',
      isConfirmed: true,
      enables: false,
    });
    expect(readRecoverCommand(['--enable', 'ana@northlab.org'])).toMatchObject({ isConfirmed: false, enables: true });
    for (const args of [[], ['ana'], ['a@b.org', 'c@d.org'], ['a@b.org', '--force'], ['a@b.org\r\nBcc: c@d.org']]) {
      expect(() => readRecoverCommand(args)).toThrow(ConfigError);
      expect(() => readRecoverCommand(args)).toThrow('npm run recover -- EMAIL');
    }
  });

  test('recovers an owner who has lost password and second factors; the link works once', async () => {
    const owner = await makeUser(db, {
      owns: ['northlab'],
      totp_secret: createVault([secretKey]).encrypt('lost secret'),
      email_mfa: true,
    });
    await makePasskey(db, owner);
    const made = await recover([owner.email, '--yes']);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(made.stdout).toMatch(
      new RegExp(`^Give this link to ${owner.email}\\. It works once, within an hour:\nhttp`),
    );
    expect(await stateOf(owner.id)).toMatchObject({ totp_secret: null, email_mfa: false, password_hash: null });
    expect(await db.$count(passkeys, eq(passkeys.user_id, owner.id))).toBe(0);
    await expect(signIn(browserAt(server.address), { email: owner.email, password })).rejects.toThrow('No sign-in');

    const body = linkIn(made.stdout);
    expect(await call()(verifyToken, { body })).toMatchObject({ purpose: 'reset' });
    const use = () => call()(confirmSignup, { body: { ...body, password: newPassword, signup_from: testOrigin } });
    await use();
    await signIn(browserAt(server.address), { email: owner.email, password: newPassword });
    await expect(use()).rejects.toMatchObject({ message: 'Invalid verification code or it is already used' });
  });

  test('records who did it in each network of the owner, and mails the person without the link', async () => {
    const owner = await makeUser(db, { owns: ['northlab', 'southlab'], alsoIn: ['southlab'] });
    const made = await recover([owner.email, '--yes']);
    expect(made).toMatchObject({ code: 0 });
    const records = await db
      .select()
      .from(auditRecords)
      .where(eq(auditRecords.description, `update user ${owner.email} recovery`));
    const networks = await Promise.all(['northlab', 'southlab'].map((name) => networkNamed(db, name)));
    expect(records).toHaveLength(2);
    expect(new Set(records.map(({ network_id }) => network_id))).toEqual(new Set(networks.map(({ id }) => id)));
    for (const record of records) {
      expect(record).toMatchObject({ actor: 'operator', actor_id: null, action: 'update', ip_address: null });
      expect(record.new_data).toEqual({ password: 'link', factors: 'removed', sessions: 'ended' });
    }
    const letter = await eventually(() => {
      const found = smtp.received.find(({ to }) => to.includes(owner.email));
      if (!found) throw new Error('No email yet.');
      return found;
    });
    expect(letter.mail.subject).toBe('Your account is being recovered');
    expect(letter.mail.text).toContain('tell the operator and the other owners');
    expect(letter.raw).not.toContain(linkIn(made.stdout).code);
  });

  test('ends the sessions of the account', async () => {
    const owner = await makeUser(db, { owns: ['northlab'] });
    const browser = await signIn(browserAt(server.address), { email: owner.email, password });
    expect((await browser.get('/server/getsession')).html).toContain(owner.email);
    await recover([owner.email, '--yes']);
    expect((await browser.get('/server/getsession')).html).not.toContain(owner.email);
  });

  test('changes nothing unless it is confirmed, by a word or by --yes', async () => {
    const owner = await makeUser(db, { owns: ['northlab'] });
    const before = await stateOf(owner.id);
    for (const input of ['', 'yes\n', 'no\n']) {
      const refused = await recover([owner.email], input);
      expect(refused).toMatchObject({ code: 1, stderr: 'Nothing was changed.\n' });
      expect(refused.stdout).toContain(`${owner.email} is an owner of northlab.`);
    }
    expect(await stateOf(owner.id)).toEqual(before);
    expect(await db.$count(oneTimeTokens, eq(oneTimeTokens.user_id, owner.id))).toBe(0);
    expect(await recover([owner.email], 'recover\n')).toMatchObject({ code: 0, stderr: '' });
  });

  test('refuses unknown addresses, people who own nothing, and owners who were only invited', async () => {
    expect(await recover(['nobody@northlab.org', '--yes'])).toMatchObject({
      code: 1,
      stderr: 'There is no account with the address nobody@northlab.org.\n',
    });
    const member = await makeUser(db, {});
    expect(await recover([member.email, '--yes'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${member.email} is not an owner. Owners can send`) as unknown,
    });
    expect(await stateOf(member.id)).toMatchObject({ password_hash: member.password_hash });
    const invited = await ServerProcess.run(environment, {
      program: 'dist/cli/network.js',
      args: ['invite', 'northlab', '--owner', 'invited@northlab.org'],
    });
    expect(invited).toMatchObject({ code: 0 });
    expect(await recover(['invited@northlab.org', '--yes'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('npm run network -- invite northlab --owner invited@northlab.org') as unknown,
    });
  });

  test('enables a disabled owner only with --enable', async () => {
    const owner = await makeUser(db, { owns: ['northlab'], user_mode: 'Disable' });
    await db.update(memberships).set({ user_mode: 'Disable' }).where(eq(memberships.user_id, owner.id));
    expect(await recover([owner.email, '--yes'])).toMatchObject({
      code: 1,
      stderr: `The account ${owner.email} is disabled. Add --enable to enable it.\n`,
    });
    expect(await stateOf(owner.id)).toMatchObject({ user_mode: 'Disable' });
    const made = await recover([owner.email, '--yes', '--enable']);
    expect(made).toMatchObject({ code: 0 });
    expect(await newestRecord()).toMatchObject({ actor: 'operator', new_data: { user_mode: 'Active' } });
    const body = linkIn(made.stdout);
    await call()(confirmSignup, { body: { ...body, password: newPassword, signup_from: testOrigin } });
    await signIn(browserAt(server.address), { email: owner.email, password: newPassword });
  });

  test('makes a link that expires after an hour', async () => {
    const owner = await makeUser(db, { owns: ['northlab'] });
    const body = linkIn((await recover([owner.email, '--yes'])).stdout);
    const [token] = await db.select().from(oneTimeTokens).where(eq(oneTimeTokens.user_id, owner.id));
    const minutes = ((token?.expires_at.getTime() ?? 0) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(50);
    expect(minutes).toBeLessThanOrEqual(60);
    await db.update(oneTimeTokens).set({ expires_at: new Date() }).where(eq(oneTimeTokens.user_id, owner.id));
    await expect(call()(verifyToken, { body })).rejects.toMatchObject({
      message: 'Invalid verification code or it is already used',
    });
  });

  test('works while no server runs, with the embedded database', async () => {
    const settings = {
      DATA_DIR: await makeDataFolder(),
      PUBLIC_URL: testOrigin,
      FIRST_OWNER_EMAIL: 'head@northlab.org',
      FIRST_OWNER_PASSWORD: password,
    };
    const first = await ServerProcess.start(settings);
    await first.kill('SIGTERM');
    const made = await recover(['head@northlab.org', '--yes'], undefined, settings);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(linkIn(made.stdout).code).toHaveLength(40);
    expect(await postmasterOf(settings.DATA_DIR)).toBeUndefined();
  });
});
