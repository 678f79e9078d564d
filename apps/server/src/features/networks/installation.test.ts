import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildApp } from '../../app.ts';
import { installation, sites } from '../../database/schema.ts';
import { describeCertificate, openSigningKey } from '../../secrets/signing-keys.ts';
import { Browser } from '../../testing/app/browser.ts';
import { makeUser, password } from '../../testing/app/builders.ts';
import { makeEndingKey } from '../../testing/app/ending-key.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';
import { prepareInstallation } from './installation.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await buildTestApp();
});

/** Installs a key of the console that ends after a number of days, as an earlier start has left it. */
const installKey = async (days: number) => {
  const { privateKey, certificate } = makeEndingKey(days);
  await testApp.db
    .update(installation)
    .set({ console_private_key: testApp.parts.vault.encrypt(privateKey), console_certificate: certificate });
  await testApp.db.update(sites).set({ certificate }).where(eq(sites.kind, 'console'));
  return { privateKey: openSigningKey(privateKey), certificate };
};
const registered = async () => {
  const [site] = await testApp.db.select().from(sites).where(eq(sites.kind, 'console'));
  return site?.certificate?.split('\n');
};

/** Whether a person can sign in to the console at a server that signs with a key. */
const canSignIn = async (consoleKey: TestApp['parts']['consoleKey']): Promise<boolean> => {
  const app = await buildApp({ ...testApp.parts, consoleKey });
  const { email } = await makeUser(testApp.db);
  const browser = new Browser(app);
  const page = await browser.submit(await browser.get('/server/saml/login'), { email, password });
  await browser.submit(page);
  await app.close();
  return browser.cookies.has('opensocial_session');
};

describe("the console's key", () => {
  test('stays while it is valid for more than 60 days', async () => {
    const { certificate } = await installKey(61);
    const { consoleKey } = await prepareInstallation(testApp.parts);
    expect(consoleKey.certificate).toBe(certificate);
    expect(await registered()).toEqual([certificate]);
  });

  test('is replaced at a start before it ends, and servers with the former key keep working', async () => {
    const former = await installKey(59);
    const { consoleKey } = await prepareInstallation(testApp.parts);
    expect(consoleKey.certificate).not.toBe(former.certificate);
    const days = (describeCertificate(consoleKey.certificate).notAfter.getTime() - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(729);
    expect(await registered()).toEqual([consoleKey.certificate, former.certificate]);
    expect(await canSignIn(consoleKey)).toBe(true);
    expect(await canSignIn(former)).toBe(true);
    expect((await prepareInstallation(testApp.parts)).consoleKey.certificate).toBe(consoleKey.certificate);
    expect(await registered()).toEqual([consoleKey.certificate, former.certificate]);
  });

  test('a key that was never registered is refused', async () => {
    const { privateKey, certificate } = makeEndingKey(400);
    await expect(canSignIn({ privateKey: openSigningKey(privateKey), certificate })).rejects.toThrow(
      'The signature of the SAML message is not valid',
    );
  });
});
