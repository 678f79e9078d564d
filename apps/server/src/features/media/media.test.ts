import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type AnyCall,
  type Caller,
  getIconImage,
  getImage,
  getTemplates,
  type Image,
  listIconImages,
  listImages,
  removeFromTrash,
  removeIconImage,
  removeImage,
  updateIconImage,
  updateImage,
  updateTemplate,
  uploadIconImage,
  uploadImage,
} from '@opensocial/contract';
import { type Design, type DesignNode, renderDesign } from '@opensocial/contract/mail';
import { desc, eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { auditRecords, images, networkSettings, sites } from '../../database/schema.ts';
import { startWorker } from '../../jobs/worker.ts';
import { makeImage, makeSite, makeUser, networkNamed, signInto } from '../../testing/app/builders.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';
import { testOrigin } from '../../testing/app/test-parts.ts';
import { eventually } from '../../testing/machine/eventually.ts';
import { drawing, makePng } from '../../testing/payloads/pictures.ts';
import { removeImageFilesTask } from './media.jobs.ts';

let testApp: TestApp;
let call: Caller;
beforeAll(async () => {
  testApp = await buildTestApp();
  call = await asOwnerOf('northlab');
});

const asOwnerOf = async (network: string): Promise<Caller> => {
  const owner = await makeUser(testApp.db, { network, owns: [network] });
  return testApp.as(await signInto(testApp.db, testApp.browser(), owner));
};

const upload = async (declared: typeof uploadImage, file?: File): Promise<string> => {
  const png = new File([new Uint8Array(await makePng())], 'a.png');
  return (await call(declared, { body: { sso_server: 'northlab' }, file: file ?? png })).message;
};

const about = { alt_text: 'A tree', title: 'Tree', caption: 'By the river', description: 'Painted in spring' };
const filesOf = async (name: string) =>
  (await readdir(join(testApp.dataDir, 'media'))).filter((file) => file.startsWith(name)).toSorted();

describe('§7.3 a library', () => {
  test('shows the newest first, a page at a time, with the total', async () => {
    const network = 'southlab';
    const caller = await asOwnerOf(network);
    const made: string[] = [];
    for (let each = 0; each < 7; each += 1) made.unshift((await makeImage(testApp.db, { network })).name);
    await makeImage(testApp.db, { network, kind: 'icon' });
    const page = async (lastid: number) => {
      const { images: shown, all_images } = await caller(listImages, { params: { server: network, lastid } });
      expect(all_images).toBe(7);
      return shown;
    };
    const first = await page(0);
    expect(first.map(({ name }) => name)).toEqual(made.slice(0, 5));
    const last = first.at(-1)?.id ?? 0;
    expect((await page(last)).map(({ name }) => name)).toEqual(made.slice(5));
    await testApp.db.delete(images).where(eq(images.id, last));
    await expect(page(last)).rejects.toMatchObject({ status: 410 });
  });

  test.for([
    ['title', 'Spring'],
    ['alt_text', 'SPRING'],
    ['caption', 'in spring, early'],
    ['description', 'springtime'],
    ['file_name', 'spring.png'],
  ] as const)('is searched by any part of the %s', async ([field, words]) => {
    const { name } = await makeImage(testApp.db, { kind: 'icon', [field]: words });
    const params = { server: 'northlab', keyword: 'spring', lastid: 0 };
    const { images: found, all_images } = await call(listIconImages, { params });
    expect(found.map((image) => image.name)).toContain(name);
    expect(all_images).toBeGreaterThan(0);
  });

  test('matches special characters literally, and never across two fields', async () => {
    await makeImage(testApp.db, { title: 'autumn', alt_text: 'leaves' });
    for (const keyword of ['aut%mn', 'autum_', '%%', 'autumn leaves', String.raw`\\`]) {
      const params = { server: 'northlab', keyword, lastid: 0 };
      expect((await call(listImages, { params })).all_images, keyword).toBe(0);
    }
  });

  test('§3 returns the details of an image', async () => {
    const { name, id } = await makeImage(testApp.db, { ...about, size: 2_049, width: 7, height: 9 });
    const image = await call(getImage, { params: { name } });
    expect(image).toEqual({
      id,
      name,
      ...about,
      created: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      size: 3,
      width: 7,
      height: 9,
      file_name: '',
      url: `/server/sso/sso_images/image/${name}`,
      thumbnail: `/server/sso/sso_images/image/${name}?thumbnail`,
    });
  });
});

describe('§2.15 the texts of an image', () => {
  test('are changed, and the change is audited', async () => {
    const { id, name } = await makeImage(testApp.db);
    expect(await call(updateImage, { params: { id }, body: about })).toMatchObject({ name, ...about });
    const [record] = await testApp.db.select().from(auditRecords).orderBy(desc(auditRecords.id)).limit(1);
    expect(record).toMatchObject({ description: 'update image', old_data: { title: '' }, new_data: { title: 'Tree' } });
  });

  test('are stored as plain text', async () => {
    const { id } = await makeImage(testApp.db);
    const words = '"><img src=x onerror=alert(1)>';
    const body = { alt_text: words, title: words, caption: words, description: words };
    expect(await call(updateImage, { params: { id }, body })).toMatchObject(body);
  });

  test.for([
    { ...about, name: 'mine.png' },
    { ...about, title: 'x'.repeat(201) },
    { alt_text: '', title: '' },
    { ...about, description: 'a\0b' },
  ])('are these four fields with limited length: %o', async (body) => {
    const { id } = await makeImage(testApp.db);
    await expect(call(updateImage, { params: { id }, body: body as typeof about })).rejects.toMatchObject({
      status: 400,
    });
  });

  test('belong to the library that the path names', async () => {
    const image = await makeImage(testApp.db);
    const icon = await makeImage(testApp.db, { kind: 'icon' });
    const missing = { status: 404 };
    await expect(call(updateIconImage, { params: { id: image.id }, body: about })).rejects.toMatchObject(missing);
    await expect(call(updateImage, { params: { id: icon.id }, body: about })).rejects.toMatchObject(missing);
    await expect(call(getImage, { params: { name: icon.name } })).rejects.toMatchObject(missing);
    await expect(call(removeImage, { params: { name: icon.name }, query: {} })).rejects.toMatchObject(missing);
    const params = { server: 'northlab', name: image.name };
    await expect(call(getIconImage, { params })).rejects.toMatchObject(missing);
    await expect(call(removeIconImage, { params, query: {} })).rejects.toMatchObject(missing);
  });
});

describe('a foreign image', () => {
  const onNames = ({ name }: { name: string }): [AnyCall, object][] => [
    [getImage, { params: { name } }],
    [removeImage, { params: { name }, query: { force: 'true' } }],
    [getIconImage, { params: { server: 'northlab', name } }],
    [getIconImage, { params: { server: 'southlab', name } }],
    [removeIconImage, { params: { server: 'northlab', name }, query: { force: 'true' } }],
    [removeIconImage, { params: { server: 'southlab', name }, query: { force: 'true' } }],
  ];
  const onIds = ({ id }: { id: number }): [AnyCall, object][] => [
    [updateImage, { params: { id }, body: about }],
    [updateIconImage, { params: { id }, body: about }],
  ];
  const refusalOf = (declared: AnyCall, input: object) =>
    call(declared, input as never).then(
      () => 'let in',
      ({ status, code, message }: { status: number; code: string; message: string }) => ({ status, code, message }),
    );

  test('is answered as if it did not exist, in every call, and stays unchanged', async () => {
    const unknown = await refusalOf(getImage, { params: { name: 'unknown.png' } });
    expect(unknown).toMatchObject({ status: 404, code: 'not_found' });
    for (const kind of ['image', 'icon'] as const) {
      const image = await makeImage(testApp.db, { network: 'southlab', kind });
      for (const [declared, input] of [...onNames(image), ...onIds(image)])
        expect(await refusalOf(declared, input), declared.path.template).toEqual(unknown);
      expect(await testApp.db.select().from(images).where(eq(images.id, image.id))).toEqual([image]);
    }
    for (const [declared, input] of [...onNames({ name: 'unknown.png' }), ...onIds({ id: 999_999 })])
      expect(await refusalOf(declared, input), declared.path.template).toEqual(unknown);
  });
});

describe('deleting an image', () => {
  const queued = async (name: string) => {
    const { rows } = await testApp.db.execute<{ due: boolean }>(
      sql`select run_at <= now() as due from graphile_worker._private_jobs where payload->>'name' = ${name} order by id`,
    );
    return rows.map(({ due }) => due);
  };

  test('deletes the row at once, and its files by a job once it is deleted from the trash too', async () => {
    const name = await upload(uploadImage);
    expect(await filesOf(name)).toEqual([name, `${name}.thumbnail`]);
    expect(await queued(name)).toEqual([false]);
    const { trash_id } = await call(removeImage, { params: { name }, query: {} });
    expect(await testApp.db.$count(images, eq(images.name, name))).toBe(0);
    expect(await queued(name)).toEqual([false, true]);
    const [record] = await testApp.db.select().from(auditRecords).orderBy(desc(auditRecords.id)).limit(1);
    expect(record).toMatchObject({ description: 'delete image', old_data: { name } });
    await removeImageFilesTask(testApp.parts)({ name }, undefined as never);
    expect(await filesOf(name)).toHaveLength(2);
    await call(removeFromTrash, { params: { server: 'northlab', id: trash_id ?? 0 } });
    const worker = await startWorker(testApp.pool, {
      tasks: { remove_image_files: removeImageFilesTask(testApp.parts) },
      sweep: async () => undefined,
      log: testApp.parts.log,
    });
    onTestFinished(() => worker.stop());
    await eventually(async () => expect(await filesOf(name)).toEqual([]));
  });

  test('is completed by the queued job if only the files had been stored', async () => {
    const kept = await upload(uploadImage);
    const lost = await upload(uploadImage);
    await testApp.db.delete(images).where(eq(images.name, lost));
    const task = removeImageFilesTask(testApp.parts);
    for (const name of [kept, lost, lost]) await task({ name }, undefined as never);
    expect(await filesOf(lost)).toEqual([]);
    expect(await filesOf(kept)).toHaveLength(2);
  });

  test('that is in use is refused, with the places', async () => {
    const { name } = await makeImage(testApp.db);
    const { id } = await networkNamed(testApp.db, 'northlab');
    await makeSite(testApp.db, { site_name: 'Reports', logo: name });
    await makeSite(testApp.db, { site_name: 'Orders', background: name });
    await testApp.db.update(networkSettings).set({ footer: name }).where(eq(networkSettings.network_id, id));
    await expect(call(removeImage, { params: { name }, query: {} })).rejects.toMatchObject({
      status: 409,
      code: 'image_in_use',
      message:
        'This image is in use by the site Reports, the site Orders, and the settings of the network. Deleting it removes it there as well.',
    });
    expect(await testApp.db.$count(images, eq(images.name, name))).toBe(1);
  });

  test('that is in use removes it there, if forced', async () => {
    const image = await makeImage(testApp.db);
    const icon = await makeImage(testApp.db, { kind: 'icon' });
    const other = await makeImage(testApp.db);
    const { id } = await networkNamed(testApp.db, 'northlab');
    const site = await makeSite(testApp.db, { logo: image.name, background: other.name, icon_bg: icon.name });
    await testApp.db
      .update(networkSettings)
      .set({ logo: image.name, background: other.name, footer: image.name })
      .where(eq(networkSettings.network_id, id));
    const query = { force: 'true' as const };
    await call(removeImage, { params: { name: image.name }, query });
    await call(removeIconImage, { params: { server: 'northlab', name: icon.name }, query });
    const kept = { logo: null, background: other.name };
    expect(await testApp.db.select().from(sites).where(eq(sites.id, site.id))).toMatchObject([
      { ...kept, icon_bg: null },
    ]);
    expect(await testApp.db.select().from(networkSettings).where(eq(networkSettings.network_id, id))).toMatchObject([
      { ...kept, footer: null },
    ]);
  });

  test('that mails show leaves an empty place in them, if forced', async () => {
    const { name } = await makeImage(testApp.db);
    const { name: other } = await makeImage(testApp.db);
    const params = { server: 'northlab' };
    const pathOf = (each: string) => getImage.path.build({ name: each });
    const shown = (each: string): DesignNode => ({ type: 'mailImage', attrs: { src: pathOf(each), alt: 'A tree' } });
    const odd = [
      { type: 'section', attrs: null, content: 'none' },
      { type: 'section', content: [null, 7] },
    ] as never[];
    const design: Design = {
      type: 'doc',
      content: [shown(name), shown(other), { type: 'section', content: [shown(name)] }, ...odd],
    };
    const html = renderDesign({ ...design, content: design.content?.slice(0, 3) ?? [] }, { origin: testOrigin });
    await call(updateTemplate, {
      params,
      body: { server: 'northlab', request: 'update_reset_temp', reset_temp: JSON.stringify({ design, html }) },
    });
    await expect(call(removeImage, { params: { name }, query: {} })).rejects.toThrow(
      / in use by the email templates\. /,
    );
    await call(removeImage, { params: { name }, query: { force: 'true' } });
    const { reset_temp: saved } = await call(getTemplates, { params });
    const kept = JSON.parse(saved);
    expect(kept.design.content).toEqual([
      { type: 'paragraph' },
      shown(other),
      { type: 'section', content: [{ type: 'paragraph' }] },
      ...odd,
    ]);
    expect(kept.html.match(/<img/g)).toHaveLength(1);
    expect(kept.html).toContain(`src="${testOrigin}${pathOf(other)}"`);
    await call(removeImage, { params: { name: other }, query: { force: 'true' } });
    expect((await call(getTemplates, { params })).reset_temp).not.toContain('src');
  });

  test('names five places and counts the rest', async () => {
    const { name } = await makeImage(testApp.db);
    for (let each = 0; each < 8; each += 1) await makeSite(testApp.db, { site_name: `S${each}`, logo: name });
    await expect(call(removeImage, { params: { name }, query: {} })).rejects.toThrow(/the site S4, and 3 more\./);
  });
});

describe('the image file', () => {
  const shown = (url: string, headers: Record<string, string> = {}) =>
    testApp.app.inject({ url, headers: { accept: 'image/avif,image/webp,*/*;q=0.8', ...headers } });
  const recordOf = async (declared: typeof uploadImage, file?: File): Promise<Image> => {
    const name = await upload(declared, file);
    return declared === uploadImage
      ? call(getImage, { params: { name } })
      : call(getIconImage, { params: { server: 'northlab', name } });
  };
  const svg = () => new File([drawing], 'a.svg');

  test.for([
    ['image', uploadImage],
    ['icon picture', uploadIconImage],
  ] as const)('is shown to everybody: %s', async ([, declared]) => {
    const { url, thumbnail, width } = await recordOf(declared);
    const answer = await shown(url);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(answer.rawPayload.length),
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      vary: 'accept',
    });
    expect(answer.rawPayload.readUInt32BE(16)).toBe(width);
    expect((await shown(thumbnail)).headers).toMatchObject({ 'content-type': 'image/webp' });
  });

  test('is not sent again to clients that have it', async () => {
    const { url, thumbnail } = await recordOf(uploadImage);
    const etag = String((await shown(url)).headers.etag);
    const again = await shown(url, { 'if-none-match': etag });
    expect([again.statusCode, again.payload]).toEqual([304, '']);
    expect((await shown(thumbnail, { 'if-none-match': etag })).statusCode).toBe(200);
  });

  test('is downloaded rather than opened if it is a drawing, and shown in pages', async () => {
    const { url, thumbnail } = await recordOf(uploadImage, svg());
    expect(thumbnail).toBe(url);
    const answer = await shown(`${url}?thumbnail`, { 'sec-fetch-dest': 'document' });
    expect(answer.headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'content-disposition': 'attachment',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    });
    expect(answer.payload).toBe(drawing);
  });

  test("§7.3 the record is returned to requests for JSON, and only to the network's owners", async () => {
    const { url } = await recordOf(uploadImage);
    const asked = await shown(url, { accept: 'application/json' });
    expect(asked.statusCode).toBe(401);
    expect(asked.headers['cache-control']).toBe('no-store');
    const member = await signInto(testApp.db, testApp.browser(), await makeUser(testApp.db));
    expect((await member.fetch(url, {}, { accept: 'application/json' })).status).toBe(403);
    expect((await member.fetch(url, {}, { accept: 'image/*' })).status).toBe(200);
  });

  test('is found under its own network and kind only', async () => {
    const image = await upload(uploadImage);
    const icon = await upload(uploadIconImage);
    for (const url of [
      getImage.path.build({ name: icon }),
      getIconImage.path.build({ server: 'northlab', name: image }),
      getIconImage.path.build({ server: 'southlab', name: icon }),
      getImage.path.build({ name: `${image}.thumbnail` }),
      getImage.path.build({ name: image.toUpperCase() }),
    ]) {
      expect((await shown(url)).statusCode, url).toBe(404);
    }
  });
});
