import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { getImage, listIconImages, listImages, uploadIconImage, uploadImage } from '@opensocial/contract';
import { desc, eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { auditRecords, images, profilePictures } from '../../database/schema.ts';
import { removeStaleUploads } from '../../http/uploads.ts';
import type { Browser } from '../../testing/app/browser.ts';
import { makeUser, networkNamed, signInto } from '../../testing/app/builders.ts';
import { makeForm, megabytes } from '../../testing/app/forms.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';
import { eventually } from '../../testing/machine/eventually.ts';
import { makeBomb, makeNoise, makePng } from '../../testing/payloads/pictures.ts';
import { startBucketServer } from '../../testing/services/bucket-server.ts';
import { holdLibraries } from './media.queries.ts';

let testApp: TestApp;
let png: File;
beforeAll(async () => {
  testApp = await buildTestApp();
  png = new File([new Uint8Array(await makePng())], 'Our logo.png', { type: 'image/png' });
});

const ownPage = { 'sec-fetch-site': 'same-origin' };
const northlab = { sso_server: 'northlab' };

const ownerOf = async (app: TestApp, ...owns: string[]): Promise<Browser> =>
  signInto(app.db, app.browser(), await makeUser(app.db, { owns }));
const asOwner = async (app = testApp) => app.as(await ownerOf(app, 'northlab'));
const uploadsIn = ({ dataDir }: TestApp) => readdir(join(dataDir, 'uploads')).catch(() => []);
const countImages = (app = testApp) => app.db.$count(images);

const send = (
  browser: Browser,
  parts: Parameters<typeof makeForm>[0],
  headers: Record<string, string> = ownPage,
  path = '/prxy/api/image_upload',
): Promise<Response> => {
  const form = makeForm(parts);
  const init = { method: 'POST', body: form.payload as never, headers: form.headers };
  return browser.fetch(path, init, headers);
};

describe('§7.3 an upload', () => {
  test('adds an image to the library, and returns its name in the message', async () => {
    const call = await asOwner();
    const { message: name } = await call(uploadImage, { body: { ...northlab, size: '1' }, file: png });
    expect(name).toMatch(/^[0-9a-f]{32}\.png$/);
    expect(await call(getImage, { params: { name } })).toMatchObject({
      name,
      title: 'Our logo',
      file_name: 'Our logo.png',
      size: 1,
      width: 40,
      height: 20,
      url: `/server/sso/sso_images/image/${name}`,
      thumbnail: `/server/sso/sso_images/image/${name}?thumbnail`,
    });
    expect(await uploadsIn(testApp)).toEqual([]);
  });

  test('of an icon picture goes into the other library', async () => {
    const call = await asOwner();
    const { message: name } = await call(uploadIconImage, { body: northlab, file: png });
    const params = { server: 'northlab', lastid: 0 };
    const names = async (list: typeof listImages) => (await call(list, { params })).images.map((image) => image.name);
    expect((await names(listIconImages))[0]).toBe(name);
    expect(await names(listImages)).not.toContain(name);
  });

  test.each([
    ['no boundary at all', 'x'.repeat(500)],
    ['nothing after the first boundary', '--x\r\nconten'],
    ['no end of the file', '--x\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\nPNG'],
    ['nothing', ''],
  ])('of a malformed form with %s is refused', async (_, body) => {
    const headers = { ...ownPage, 'content-type': 'multipart/form-data; boundary=x' };
    const browser = await ownerOf(testApp, 'northlab');
    const answer = await browser.fetch('/prxy/api/image_upload', { method: 'POST', body, headers }, headers);
    expect(answer.status).toBe(400);
    expect(await uploadsIn(testApp)).toEqual([]);
  });

  test('is audited', async () => {
    const { message: name } = await (await asOwner())(uploadImage, { body: northlab, file: png });
    const [record] = await testApp.db.select().from(auditRecords).orderBy(desc(auditRecords.id)).limit(1);
    expect(record).toMatchObject({ action: 'create', description: 'create image', new_data: { name } });
  });

  test('has a file name that is only shown, whatever it is', async () => {
    const { message: name } = await (await asOwner())(uploadImage, {
      body: northlab,
      file: new File([png], '../../<b>&\u202E.png'),
    });
    const [image] = await testApp.db.select().from(images).where(eq(images.name, name));
    expect(image?.file_name).toBe('<b>&.png');
  });
});

describe('a library in a bucket', () => {
  test('stores an image and its thumbnail there, and serves them from there', async () => {
    const bucket = await startBucketServer();
    const remote = await buildTestApp({ MEDIA_URL: bucket.url });
    const call = await asOwner(remote);
    const { message: name } = await call(uploadImage, { body: northlab, file: png });
    expect(bucket.objects.size).toBe(2);
    const { url, thumbnail } = await call(getImage, { params: { name } });
    for (const address of [url, thumbnail]) {
      const shown = await remote.app.inject(address);
      expect([...bucket.objects.values()]).toContainEqual(shown.rawPayload);
    }
    expect(await readdir(remote.dataDir)).not.toContain('media');
  });

  test('that is unavailable answers 503, and stores nothing', async () => {
    const bucket = await startBucketServer();
    const remote = await buildTestApp({ MEDIA_URL: bucket.url });
    const call = await asOwner(remote);
    bucket.close();
    await expect(call(uploadImage, { body: northlab, file: png })).rejects.toMatchObject({ status: 503 });
    expect(await countImages(remote)).toBe(0);
  });
});

describe('access to uploads', () => {
  test('is checked before the file is received, if the form names the network first', async () => {
    const early = await buildTestApp();
    const answer = await send(await ownerOf(early, 'northlab'), [
      ['sso_server', 'southlab'],
      ['image', { name: 'a.png', bytes: megabytes(2) }],
    ]);
    expect(answer.status).toBe(404);
    expect(await readdir(early.dataDir)).not.toContain('uploads');
  });

  test('is checked afterwards, if the form names it last, and nothing of the file is kept', async () => {
    const before = await countImages();
    const bytes = [await makePng()];
    const late = (network: string): Parameters<typeof makeForm>[0] => [
      ['image', { name: 'a.png', bytes }],
      ['sso_server', network],
    ];
    const browser = await ownerOf(testApp, 'northlab');
    expect((await send(browser, late('southlab'))).status).toBe(404);
    expect(await countImages()).toBe(before);
    expect((await send(browser, late('northlab'))).status).toBe(200);
    expect(await countImages()).toBe(before + 1);
    expect(await uploadsIn(testApp)).toEqual([]);
  });

  test('is checked for the same network in which the upload is done', async () => {
    const bytes = [await makePng()];
    const answer = await send(await ownerOf(testApp, 'northlab'), [
      ['sso_server', 'northlab'],
      ['image', { name: 'a.png', bytes }],
      ['sso_server', 'southlab'],
    ]);
    expect(answer.status).toBe(400);
    const { id } = await networkNamed(testApp.db, 'southlab');
    expect(await testApp.db.$count(images, eq(images.network_id, id))).toBe(0);
  });

  test.for([
    ['an image', '/prxy/api/image_upload', 'image', images],
    ['a picture of themselves', '/prxy/api/upload_profile_pic', 'file', profilePictures],
  ] as const)('is refused if the session ended while %s was being uploaded', async ([, path, field, table]) => {
    const before = await testApp.db.$count(table);
    const owner = await makeUser(testApp.db, { owns: ['northlab'] });
    const browser = await signInto(testApp.db, testApp.browser(), owner);
    const picture = await makePng();
    const end = Promise.withResolvers<void>();
    const slow = async function* () {
      yield picture.subarray(0, 20);
      await end.promise;
      yield picture.subarray(20);
    };
    const form: Parameters<typeof makeForm>[0] = [
      ['sso_server', 'northlab'],
      ['email', owner.email],
      [field, { name: 'a.png', bytes: slow() }],
    ];
    const underWay = send(browser, form, ownPage, path);
    await eventually(async () => expect(await uploadsIn(testApp)).toHaveLength(1));
    await browser.get('/server/saml/logout', ownPage);
    end.resolve();
    expect((await underWay).status).toBe(401);
    expect(await testApp.db.$count(table)).toBe(before);
    expect(await uploadsIn(testApp)).toEqual([]);
  });

  test('needs a same-origin request and a session, before the form is read', async () => {
    const form = (): Parameters<typeof makeForm>[0] => [
      ['sso_server', 'northlab'],
      ['image', { name: 'a.png', bytes: megabytes(1) }],
    ];
    const browser = await ownerOf(testApp, 'northlab');
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }, {}])
      expect((await send(browser, form(), headers)).status).toBe(403);
    expect((await send(testApp.browser(), form())).status).toBe(401);
    expect(await uploadsIn(testApp)).toEqual([]);
  });
});

describe('§5 what may be uploaded', () => {
  test('101 MB are refused with an explanation, and deleted', async () => {
    const answer = await send(await ownerOf(testApp, 'northlab'), [
      ['sso_server', 'northlab'],
      ['image', { name: 'a.png', bytes: megabytes(101) }],
    ]);
    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({
      code: 'file_too_large',
      message: 'File size too large, max size allowed is 100 MB',
    });
    expect(await uploadsIn(testApp)).toEqual([]);
  });

  test('100 MB are processed, one byte more is not', async () => {
    const browser = await ownerOf(testApp, 'northlab');
    const statusWith = async (more: number) => {
      const bytes = function* () {
        yield* megabytes(100);
        yield Buffer.alloc(more);
      };
      return (
        await send(browser, [
          ['sso_server', 'northlab'],
          ['image', { name: 'a.png', bytes: bytes() }],
        ])
      ).status;
    };
    expect(await statusWith(0)).toBe(400);
    expect(await statusWith(1)).toBe(413);
  });

  test('a declared length that is too large is refused before anything is received', async () => {
    const browser = await ownerOf(testApp, 'northlab');
    const headers = { ...ownPage, 'content-length': String(200 * 1024 * 1024) };
    expect((await send(browser, [['image', { name: 'a.png', bytes: megabytes(1) }]], headers)).status).toBe(413);
  });

  test.for([
    ['a page named .png', 'a.png', () => new File(['<html><script>alert(1)</script>'], 'a.png'), 'file_type_invalid'],
    ['a picture bomb', 'a.png', () => new File([new Uint8Array(makeBomb(16_000))], 'a.png'), 'file_unreadable'],
    ['no bytes', 'a.png', () => new File([], 'a.png'), 'file_type_invalid'],
  ] as const)('%s is refused, and deleted', async ([, , file, code]) => {
    const before = await countImages();
    await expect((await asOwner())(uploadImage, { body: northlab, file: file() })).rejects.toMatchObject({
      code,
      status: 400,
    });
    expect(await countImages()).toBe(before);
    expect(await uploadsIn(testApp)).toEqual([]);
  });

  test.for([
    ['no file', [['sso_server', 'northlab']], 'file_missing'],
    [
      'a file under another name',
      [
        ['sso_server', 'northlab'],
        ['file', { name: 'a.png', bytes: [] }],
      ],
      'bad_request',
    ],
    ['a field of 2 kB', [['sso_server', 'x'.repeat(2_000)]], 'bad_request'],
    ['no network', [['image', { name: 'a.png', bytes: [] }]], 'invalid_input'],
    [
      'a field that reaches for the prototype',
      [
        ['__proto__', 'x'],
        ['sso_server', 'northlab'],
      ],
      'bad_request',
    ],
    ['fifty fields', Array.from({ length: 50 }, (_, index) => [`field${index}`, 'x']), 'too_large'],
  ] as [string, Parameters<typeof makeForm>[0], string][])('%s in the form is refused', async ([, parts, code]) => {
    const answer = await send(await ownerOf(testApp, 'northlab'), parts);
    expect(await answer.json()).toMatchObject({ code });
    expect(await uploadsIn(testApp)).toEqual([]);
  });

  test('JSON instead of a form is refused', async () => {
    const browser = await ownerOf(testApp, 'northlab');
    const init = { method: 'POST', body: '{"sso_server":"northlab"}', headers: { 'content-type': 'application/json' } };
    expect((await browser.fetch('/prxy/api/image_upload', init, ownPage)).status).toBe(400);
  });
});

describe('limits of uploads', () => {
  test('two concurrent files per person', async () => {
    const browser = await ownerOf(testApp, 'northlab');
    const end = Promise.withResolvers<void>();
    const picture = await makePng();
    const slow = async function* () {
      yield picture.subarray(0, 20);
      await end.promise;
      yield picture.subarray(20);
    };
    const form = (bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Parameters<typeof makeForm>[0] => [
      ['sso_server', 'northlab'],
      ['image', { name: 'a.png', bytes }],
    ];
    const underWay = [send(browser, form(slow())), send(browser, form(slow()))];
    await eventually(async () => expect(await uploadsIn(testApp)).toHaveLength(2));
    const third = await send(browser, form([picture]));
    expect(third.status).toBe(429);
    expect(third.headers.get('retry-after')).toBe('5');
    const another = await ownerOf(testApp, 'northlab');
    expect((await send(another, form([picture]))).status).toBe(200);
    end.resolve();
    expect((await Promise.all(underWay)).map(({ status }) => status)).toEqual([200, 200]);
    expect((await send(browser, form([picture]))).status).toBe(200);
  });

  test('the quota of a network, also for many concurrent uploads', async () => {
    const small = await buildTestApp({ MEDIA_QUOTA: '1' });
    const file = new File([new Uint8Array(await makeNoise(300))], 'noise.png');
    const callers = await Promise.all([asOwner(small), asOwner(small), asOwner(small)]);
    const outcomes = await Promise.allSettled(
      [...callers, ...callers].map((call) => call(uploadImage, { body: northlab, file })),
    );
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(3);
    for (const { reason } of refused as PromiseRejectedResult[])
      expect(reason).toMatchObject({ code: 'library_full', status: 409 });
    expect(await countImages(small)).toBe(3);
    const call = small.as(await ownerOf(small, 'southlab'));
    await expect(call(uploadImage, { body: { sso_server: 'southlab' }, file })).resolves.toBeDefined();
  });

  test('the quota is checked for one upload at a time, so that two cannot both be the last to fit', async () => {
    const { id } = await networkNamed(testApp.db, 'northlab');
    await testApp.db.transaction(async (first) => {
      await holdLibraries(first, id);
      const second = testApp.db.transaction(async (tx) => {
        await tx.execute(sql`set local lock_timeout = '50ms'`);
        await holdLibraries(tx, id);
      });
      await expect(second).rejects.toMatchObject({ cause: { code: '55P03' } });
    });
  });
});

describe('an interrupted upload', () => {
  test('leaves nothing if the client disconnects', async () => {
    const listening = await buildTestApp();
    await listening.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = listening.app.server.address() as AddressInfo;
    const browser = await ownerOf(listening, 'northlab');
    const { headers } = makeForm([]);
    const sent = request({
      port,
      path: '/prxy/api/image_upload',
      method: 'POST',
      headers: { ...headers, ...ownPage, cookie: `opensocial_session=${browser.cookies.get('opensocial_session')}` },
    });
    sent.on('error', () => undefined);
    sent.write(
      '------form-of-a-test\r\ncontent-disposition: form-data; name="image"; filename="a.png"\r\n\r\n\x89PNG\r\n',
    );
    await eventually(async () => expect(await uploadsIn(listening)).toHaveLength(1));
    sent.destroy();
    await eventually(async () => expect(await uploadsIn(listening)).toEqual([]));
    expect(await countImages(listening)).toBe(0);
    await expect((await asOwner(listening))(uploadImage, { body: northlab, file: png })).resolves.toBeDefined();
  });

  test('is removed after its server was killed, and one in progress is not', async () => {
    const swept = await buildTestApp();
    const hourAgo = new Date(Date.now() - 3_600_000);
    for (const [name, movedAt] of [
      ['dead', hourAgo],
      ['alive', new Date()],
    ] as const) {
      const folder = join(swept.dataDir, 'uploads', name);
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, 'file'), 'x');
      await utimes(join(folder, 'file'), movedAt, movedAt);
      await utimes(folder, hourAgo, hourAgo);
    }
    await removeStaleUploads(swept.parts.config);
    expect(await uploadsIn(swept)).toEqual(['alive']);
  });
});

/** Mounting requires root on Linux. */
const canFillDisk = process.platform === 'linux' && process.getuid?.() === 0;

describe.runIf(canFillDisk)('a full disk', () => {
  test.for(['uploads', 'media'])('for %s is reported, and the server continues', async (part) => {
    const full = await buildTestApp();
    const folder = join(full.dataDir, part);
    await mkdir(folder);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', folder]);
    onTestFinished(() => void execFileSync('umount', [folder]));
    const browser = await ownerOf(full, 'northlab');
    const bytes = [await makeNoise(120)];
    const answer = await send(browser, [
      ['sso_server', 'northlab'],
      ['image', { name: 'a.png', bytes }],
    ]);
    expect(answer.status).toBe(507);
    expect(await answer.json()).toMatchObject({ code: 'storage_full' });
    expect(readdirSync(folder)).toEqual([]);
    expect((await full.app.inject('/readyz')).statusCode).toBe(200);
    await expect(full.as(browser)(uploadImage, { body: northlab, file: png })).resolves.toBeDefined();
  });
});
