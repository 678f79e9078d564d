import type { FastifyInstance, InjectOptions } from 'fastify';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildApp } from '../../app.ts';
import { createJobs } from '../../jobs/jobs.ts';
import type { Parts } from '../../parts.ts';
import { createVault } from '../../secrets/encryption.ts';
import { createKeyring } from '../../secrets/keyring.ts';
import { Browser } from '../../testing/app/browser.ts';
import { makeSite, makeUser, password } from '../../testing/app/builders.ts';
import { ServiceProvider } from '../../testing/app/service-provider.ts';
import { isSignedIn, proveAddress, setPolicy, setupKeyIn, withTotp } from '../../testing/app/sign-in-pages.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';
import { afterFile } from '../../testing/machine/cleanup.ts';
import { codeOf } from '../../testing/services/authenticator.ts';
import { prepareInstallation } from '../networks/installation.ts';

const key = 'a secret key that only tests use';
const nextKey = 'the next secret key that only tests use';

let former: TestApp;
let next: { parts: Parts; app: FastifyInstance };

/** Two servers on one database. Both know both keys; one encrypts with the former key and one with the next. */
beforeAll(async () => {
  former = await buildTestApp({ SECRET_KEY: '', SECRET_KEYS: `${key},${nextKey}` });
  const vault = createVault([nextKey, key]);
  const common = {
    ...former.parts,
    vault,
    keyring: createKeyring(vault),
    jobs: createJobs(vault, { sendsMail: false }),
  };
  const parts = { ...common, ...(await prepareInstallation(common)) };
  next = { parts, app: await buildApp(parts) };
  afterFile(() => next.app.close());
});

/** A browser whose requests go to the two servers in turn. */
const browserOfBoth = (first: number): Browser => {
  let sent = first;
  const inject = (options: InjectOptions) => {
    sent += 1;
    return (sent % 2 === 0 ? former.app : next.app).inject(options);
  };
  return new Browser({ inject });
};

const signInUrl = async (identifierFormat?: string) => {
  const options = identifierFormat === undefined ? {} : { identifierFormat };
  const provider = await ServiceProvider.of(former, await makeSite(former.db), options);
  return { provider, url: await provider.signInUrl() };
};

describe.for([0, 1])('between the two steps of a change of the key, beginning at server %i,', (first) => {
  test('people sign in to the console and are recognised', async () => {
    const user = await makeUser(former.db, { alsoIn: ['opensocial'] });
    const browser = browserOfBoth(first);
    const page = await browser.submit(await browser.get('/server/saml/login'), { email: user.email, password });
    expect(isSignedIn(page)).toBe(true);
    await browser.submit(page);
    expect(browser.cookies.get('opensocial_session')).toMatch(/.{40}/);
  });

  test('authenticator apps of both keys work', async () => {
    for (const { parts } of [former, next]) {
      const { user, code } = await withTotp({ ...former, parts });
      const browser = browserOfBoth(first);
      const asked = await browser.submit(await browser.get((await signInUrl()).url), { email: user.email, password });
      expect(isSignedIn(await browser.submit(asked, { code: code() }))).toBe(true);
    }
  });

  test('a mailed code and the setup of an authenticator app, shown by one server, are accepted by the other', async () => {
    await setPolicy(former, { mfa: 'Enable', mfa_options: ['google'] });
    const user = await makeUser(former.db);
    const browser = browserOfBoth(first);
    const asked = await browser.submit(await browser.get((await signInUrl()).url), { email: user.email, password });
    const setup = await proveAddress(former, browser, asked);
    const codes = await browser.submit(setup, { code: codeOf(setupKeyIn(setup)) });
    expect(codes.html).toContain('Save your recovery codes');
    expect(isSignedIn(await browser.submit(codes))).toBe(true);
    await setPolicy(former, { mfa: 'Disable', mfa_options: [] });
  });

  test('a browser that one server trusts needs no second factor at the other', async () => {
    await setPolicy(former, { mfa_remember_days: 30 });
    const { user, code } = await withTotp(former);
    const browser = browserOfBoth(first);
    const asked = await browser.submit(await browser.get((await signInUrl()).url), { email: user.email, password });
    await browser.submit(asked, { code: code(), remember: 'yes' });
    for (const turn of [1, 2]) {
      browser.cookies.delete('opensocial_identity');
      if (turn === 2) await browser.get('/healthz');
      const again = await browser.submit(await browser.get((await signInUrl()).url), { email: user.email, password });
      expect(isSignedIn(again)).toBe(true);
    }
    await setPolicy(former, { mfa_remember_days: 0 });
  });

  test('§11 a persistent NameID is the same at both', async () => {
    const { provider } = await signInUrl('urn:oasis:names:tc:SAML:2.0:nameid-format:persistent');
    const user = await makeUser(former.db);
    const names = [];
    for (const offset of [first, first + 1]) {
      const browser = browserOfBoth(offset);
      const asked = await browser.get(await provider.signInUrl());
      const page = await browser.submit(asked, { email: user.email, password });
      names.push((await provider.receive(page)).nameID);
    }
    expect(names[0]).toBe(names[1]);
  });
});
