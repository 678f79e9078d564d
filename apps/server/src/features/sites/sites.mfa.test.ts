import { getSiteMfa } from '@opensocial/contract';
import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { networkSettings } from '../../database/schema.ts';
import { makeGroup, makePasskey, makeSite, makeUser, networkNamed, signInto } from '../../testing/app/builders.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';

const network = 'southlab';
let testApp: TestApp;
let call: ReturnType<TestApp['as']>;
beforeAll(async () => {
  testApp = await buildTestApp();
  const owner = await makeUser(testApp.db, { network, owns: [network] });
  call = testApp.as(await signInto(testApp.db, testApp.browser(), owner));
});

const mfaOf = (siteId: number, by = call) => by(getSiteMfa, { params: { site_id: siteId } });

test('§2.7 second factor: counts the people of the network who may enter the site, and those without one', async () => {
  const open = await makeSite(testApp.db, { network });
  const before = await mfaOf(open.id);
  const people = [
    await makeUser(testApp.db, { network }),
    await makeUser(testApp.db, { network, email_mfa: true }),
    await makeUser(testApp.db, { network, totp_secret: testApp.parts.vault.encrypt('secret') }),
    await makeUser(testApp.db, { network }),
    await makeUser(testApp.db, { network, user_mode: 'Disable' }),
    // What this person has set up is not for the owners of a network that is not their home.
    await makeUser(testApp.db, { network: 'northlab', alsoIn: [network] }),
  ];
  await makePasskey(testApp.db, { id: people[3]?.id ?? 0 });
  await makeUser(testApp.db, { network });
  const group = await makeGroup(testApp.db, { network, users: people.map(({ id }) => id) });
  const restricted = await makeSite(testApp.db, { network, groups: [group.id] });
  expect(await mfaOf(restricted.id)).toMatchObject({ people: 4, without_factor: 1 });
  expect(await mfaOf(open.id)).toMatchObject({
    people: before.people + 5,
    without_factor: before.without_factor + 2,
  });
});

test('§2.7 second factor: says whether the network decides, and whether people without one could sign in', async () => {
  const site = await makeSite(testApp.db, { network });
  expect(await mfaOf(site.id)).toMatchObject({ network_requires: false, locks_out: true });
  const { id } = await networkNamed(testApp.db, network);
  await testApp.db.update(networkSettings).set({ mfa: 'Enable' }).where(eq(networkSettings.network_id, id));
  expect(await mfaOf(site.id)).toMatchObject({ network_requires: true });
  const mailing = await buildTestApp({ SMTP_URL: 'smtp://127.0.0.1:9' });
  const owner = await makeUser(mailing.db, { network, owns: [network] });
  const site2 = await makeSite(mailing.db, { network });
  const asOwner = mailing.as(await signInto(mailing.db, mailing.browser(), owner));
  expect(await mfaOf(site2.id, asOwner)).toMatchObject({ locks_out: false });
});
