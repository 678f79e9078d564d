import { eq, sql } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expiryNotices, owners, signingKeys, sites, type users } from '../../database/schema.ts';
import { startWorker } from '../../jobs/worker.ts';
import { describeCertificate, makeSigningKey } from '../../secrets/signing-keys.ts';
import { makeSite, makeUser, networkNamed } from '../../testing/app/builders.ts';
import { makeEndingKey } from '../../testing/app/ending-key.ts';
import { mailsQueuedBy } from '../../testing/app/queued-mails.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';
import { reportExpiries } from './signing-keys.expiries.service.ts';
import { reportExpiriesTask } from './signing-keys.jobs.ts';

const day = 86_400_000;

let testApp: TestApp;
let north: { id: number };
let owner: typeof users.$inferSelect;
let keyEnd: Date;
let fingerprint: string;
beforeAll(async () => {
  testApp = await buildTestApp();
  north = await networkNamed(testApp.db, 'northlab');
});
beforeEach(async () => {
  const { db } = testApp;
  await db.delete(expiryNotices);
  await db.delete(sites).where(eq(sites.kind, 'site'));
  await db.delete(owners);
  // The keys of the other networks end much later, so that they are not in the way.
  await db
    .delete(signingKeys)
    .where(sql`${signingKeys.network_id} <> ${north.id} or ${signingKeys.state} <> 'current'`);
  owner = await makeUser(db, { owns: ['northlab'] });
  const [key] = await db.select().from(signingKeys).where(eq(signingKeys.network_id, north.id));
  if (!key) throw new Error('There is no key.');
  keyEnd = key.not_after;
  ({ fingerprint } = describeCertificate(key.certificate));
});

const mailsAt = (end: Date, daysLeft: number) =>
  mailsQueuedBy(testApp, () => reportExpiries(testApp.parts, new Date(end.getTime() - daysLeft * day)));

describe('§7.10 mails about a signing key that ends', () => {
  test('are sent once at 60, 30, 7 and 1 days', async () => {
    const sent: number[] = [];
    for (let left = 65; left > -5; left -= 1) {
      const mails = await mailsAt(keyEnd, left);
      for (const mail of mails) expect(mail.to).toBe(owner.email);
      if (mails.length > 0) sent.push(left);
    }
    expect(sent).toEqual([60, 30, 7, 1]);
  });

  test('name the network, the key, the day and the next step', async () => {
    const [mail] = await mailsAt(keyEnd, 30);
    expect(mail?.subject).toBe('A certificate of northlab expires');
    for (const text of [mail?.text, mail?.html]) {
      expect(text).toContain(`A signing key of this network expires in 30 days, on `);
      expect(text).toContain(fingerprint);
      expect(text).toContain('Create the next key and switch the sites to it.');
      expect(text).toContain('http://localhost:8080/sso-servers/northlab/settings');
    }
  });

  test('are sent late if no server was running on the day, and only for the last step', async () => {
    expect(await mailsAt(keyEnd, 61)).toHaveLength(0);
    expect(await mailsAt(keyEnd, 5)).toHaveLength(1);
    expect(await mailsAt(keyEnd, 4)).toHaveLength(0);
    const [mail] = await mailsAt(keyEnd, -3);
    expect(mail?.text).toMatch(/A signing key of this network expired on \d{1,2} \w+ \d{4} UTC /);
    expect(await mailsAt(keyEnd, -4)).toHaveLength(0);
    await testApp.db.delete(expiryNotices);
    expect(await mailsAt(keyEnd, -31)).toHaveLength(0);
  });

  test('are not sent twice by two servers at the same moment', async () => {
    const now = new Date(keyEnd.getTime() - 7 * day);
    const mails = await mailsQueuedBy(testApp, () =>
      Promise.all(Array.from({ length: 5 }, () => reportExpiries(testApp.parts, now))),
    );
    expect(mails).toHaveLength(1);
  });

  test('are sent about a retired key only while a site uses it', async () => {
    const made = await makeSigningKey('northlab', 'ec-p256');
    const end = new Date(keyEnd.getTime() - 1_000 * day);
    const [retired] = await testApp.db
      .insert(signingKeys)
      .values({
        network_id: north.id,
        state: 'retired',
        private_key: testApp.parts.vault.encrypt(made.privateKey),
        certificate: made.certificate,
        not_after: made.notAfter,
      })
      .returning();
    await testApp.db.update(signingKeys).set({ not_after: end }).where(eq(signingKeys.state, 'current'));
    expect(await mailsAt(made.notAfter, 6)).toHaveLength(0);
    await makeSite(testApp.db, { signing_key_id: retired?.id ?? 0 });
    expect(await mailsAt(made.notAfter, 6)).toHaveLength(1);
    await testApp.db.delete(sites).where(eq(sites.kind, 'site'));
    await testApp.db.update(signingKeys).set({ not_after: keyEnd }).where(eq(signingKeys.state, 'current'));
  });
});

describe('§7.10 mails about certificates of sites', () => {
  test('are one mail for all sites, and not about a certificate with a successor', async () => {
    const { certificate, notAfter } = await makeSigningKey('a service provider', 'ec-p256');
    const { certificate: longer } = makeEndingKey(4_000);
    await testApp.db.update(signingKeys).set({ not_after: new Date(notAfter.getTime() + 2_000 * day) });
    const first = await makeSite(testApp.db, { certificate });
    const second = await makeSite(testApp.db, { certificate });
    const rolled = await makeSite(testApp.db, { certificate: `${certificate}\n${longer}` });
    await makeSite(testApp.db, { certificate: 'not a certificate' });
    const mails = await mailsAt(notAfter, 29.5);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.subject).toBe('Certificates of northlab expire');
    for (const { domain } of [first, second])
      expect(mails[0]?.text).toContain(`The certificate of ${domain} expires in 30 days`);
    expect(mails[0]?.text).not.toContain(rolled.domain);
    expect(await mailsAt(notAfter, 29)).toHaveLength(0);
    await testApp.db.update(sites).set({ certificate: longer }).where(eq(sites.id, first.id));
    expect((await mailsAt(notAfter, 6))[0]?.text).not.toContain(first.domain);
    await testApp.db.update(signingKeys).set({ not_after: keyEnd });
  });

  test('are sent about a certificate for encryption too, while the site encrypts', async () => {
    const { certificate, notAfter } = await makeSigningKey('a service provider');
    await testApp.db.update(signingKeys).set({ not_after: new Date(notAfter.getTime() + 2_000 * day) });
    const both = await makeSite(testApp.db, { certificate, encryption_certificate: certificate, encrypts: true });
    const only = await makeSite(testApp.db, { encryption_certificate: certificate, encrypts: true });
    const unused = await makeSite(testApp.db, { encryption_certificate: certificate });
    const sent: number[] = [];
    for (let left = 65; left > -5; left -= 1) {
      const [mail] = await mailsAt(notAfter, left);
      if (!mail) continue;
      sent.push(left);
      for (const text of [mail.text, mail.html]) {
        expect(text).toContain(`The certificate of ${both.domain} expires in `);
        expect(text).toContain(`The certificate for encryption of ${both.domain} expires in `);
        expect(text).toContain(`The certificate for encryption of ${only.domain} expires in `);
        expect(text).not.toContain(unused.domain);
      }
    }
    expect(sent).toEqual([60, 30, 7, 1]);
    await testApp.db.update(signingKeys).set({ not_after: keyEnd });
  });

  test('go to the owners of that network only', async () => {
    const { certificate, notAfter } = await makeSigningKey('a service provider', 'ec-p256');
    await testApp.db.update(signingKeys).set({ not_after: new Date(notAfter.getTime() + 2_000 * day) });
    const south = await makeUser(testApp.db, { network: 'southlab', owns: ['southlab'] });
    await makeSite(testApp.db, { network: 'southlab', certificate });
    expect((await mailsAt(notAfter, 7)).map(({ to }) => to)).toEqual([south.email]);
    await testApp.db.update(signingKeys).set({ not_after: keyEnd });
  });

  test('are sent by the task of the queue', async () => {
    const { certificate } = makeEndingKey(5);
    const site = await makeSite(testApp.db, { certificate });
    const { db, parts, pool } = testApp;
    const mails = await mailsQueuedBy(testApp, async () => {
      await parts.jobs.reportExpiries(db);
      const tasks = { report_expiries: reportExpiriesTask(parts) };
      const worker = await startWorker(pool, { tasks, sweep: async () => undefined, log: parts.log });
      await expect.poll(() => db.$count(expiryNotices), { timeout: 90_000 }).toBe(1);
      await worker.stop();
    });
    expect(mails.map(({ to }) => to)).toEqual([owner.email]);
    expect(mails[0]?.text).toContain(`The certificate of ${site.domain} expires in 5 days`);
  });
});
