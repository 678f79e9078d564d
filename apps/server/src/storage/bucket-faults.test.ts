import { getImage, getSession, uploadImage } from '@opensocial/contract';
import { beforeAll, expect, test } from 'vitest';
import { makeUser, signInto } from '../testing/app/builders.ts';
import { enterPassword, isSignedIn, newSignInUrl } from '../testing/app/sign-in-pages.ts';
import { buildTestApp, type TestApp } from '../testing/app/test-app.ts';
import { makePng } from '../testing/payloads/pictures.ts';
import { startBucketServer } from '../testing/services/bucket-server.ts';

let bucket: Awaited<ReturnType<typeof startBucketServer>>;
let testApp: TestApp;
let call: ReturnType<TestApp['as']>;
let email: string;
let upload: () => Promise<string>;
beforeAll(async () => {
  bucket = await startBucketServer();
  testApp = await buildTestApp({ MEDIA_URL: bucket.url });
  const owner = await makeUser(testApp.db, { owns: ['northlab'] });
  email = owner.email;
  call = testApp.as(await signInto(testApp.db, testApp.browser(), owner));
  const file = new File([new Uint8Array(await makePng())], 'logo.png', { type: 'image/png' });
  upload = async () => (await call(uploadImage, { body: { sso_server: 'northlab' }, file })).message;
});

const show = (name: string) => testApp.app.inject(`/server/sso/sso_images/image/${name}`);

/** Everything that needs no images. */
const expectOthersToWork = async () => {
  expect(await call(getSession, {})).toMatchObject({ user: { username: email } });
  expect(isSignedIn(await enterPassword(testApp.browser(), await newSignInUrl(testApp), email))).toBe(true);
  expect((await testApp.app.inject('/readyz')).statusCode).toBe(200);
};

test.for(['errors', 'silence'] as const)(
  'while the bucket answers with %s, everything but images works',
  async (how) => {
    const name = await upload();
    bucket.fail(how);
    let isAnswered = false;
    // More than a page has, and than there are connections to the database.
    const shown = Promise.all(Array.from({ length: 60 }, () => show(name))).finally(() => {
      isAnswered = true;
    });
    await expectOthersToWork();
    expect(how === 'silence' && isAnswered).toBe(false);
    for (const { statusCode, headers } of await shown)
      expect([statusCode, headers['cache-control'], headers['retry-after']]).toEqual([503, 'no-store', '10']);
    bucket.fail();
    expect((await show(name)).statusCode).toBe(200);
    expect(await call(getImage, { params: { name: await upload() } })).toMatchObject({ file_name: 'logo.png' });
  },
);
