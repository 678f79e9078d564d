import { getSite, listDesktopApps, type SiteInfo, updateSiteInfo } from '@opensocial/contract';
import { desc, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { auditRecords, sites } from '../../database/schema.ts';
import { makeImage, makeSite, makeUser, networkNamed, signInto } from '../../testing/app/builders.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';

let testApp: TestApp;
let call: ReturnType<TestApp['as']>;
beforeAll(async () => {
  testApp = await buildTestApp();
  const owner = await makeUser(testApp.db, { owns: ['northlab', 'southlab'] });
  call = testApp.as(await signInto(testApp.db, testApp.browser(), owner));
});

const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M4 4h16v16H4z"/></svg>';
const info = (id: number, changes: Partial<Record<keyof SiteInfo, unknown>> = {}) =>
  ({
    id,
    site_name: 'Field notes 📓',
    login_url: 'https://notes.northlab.org/login',
    icon_color: '#112233',
    icon_background: '#d5eeeb',
    text_color: '#0b1220',
    text_background: '#ffffff',
    icon_width: 48,
    icon: svg,
    icon_bg: '',
    ...changes,
  }) as SiteInfo;
const save = (body: SiteInfo, server = 'northlab') => call(updateSiteInfo, { params: { server }, body });
const stored = async (id: number) => (await testApp.db.select().from(sites).where(eq(sites.id, id)))[0];

describe('§7.2 update_site_info', () => {
  test('changes name, URL and tile, leaves the rest unchanged, and is audited', async () => {
    const site = await makeSite(testApp.db, { logo: null, site_mode: 'Closed' });
    const picture = await makeImage(testApp.db, { kind: 'icon' });
    const body = info(site.id, { icon_bg: picture.name });
    expect(await save(body)).toMatchObject(body);
    expect(await stored(site.id)).toEqual({ ...site, version: site.version + 1, ...body });
    const [record] = await testApp.db.select().from(auditRecords).orderBy(desc(auditRecords.id)).limit(1);
    expect(record).toMatchObject({
      description: `update site ${site.domain}`,
      old_data: { site_name: 'Reports' },
      new_data: { site_name: 'Field notes 📓', icon_width: 48 },
    });
  });

  test('may be sent under the key data', async () => {
    const site = await makeSite(testApp.db);
    await save({ data: info(site.id) } as never);
    expect(await stored(site.id)).toMatchObject({ site_name: 'Field notes 📓' });
  });

  test('the start URL that replaces a missing login URL is not stored', async () => {
    const { id } = await makeSite(testApp.db, { login_url: null });
    const { id: server_id } = await networkNamed(testApp.db, 'northlab');
    const shown = (await call(listDesktopApps, { params: { server_id } })).find((app) => app.id === id);
    expect(shown?.login_url).toContain(`/saml/northlab/start/${id}`);
    await save(info(id, { login_url: shown?.login_url }));
    expect(await stored(id)).toMatchObject({ login_url: null, site_name: 'Field notes 📓' });
  });

  test('names are stored as typed, including markup', async () => {
    const { id } = await makeSite(testApp.db);
    for (const site_name of ['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', '👩🏽‍🔬 ‮evil', '{{7*7}}']) {
      await save(info(id, { site_name }));
      expect(await call(getSite, { params: { site_id: id } })).toMatchObject({ site_name });
    }
  });

  test.each([
    ['site_name', '  ', 'Site name is required'],
    ['site_name', 'x'.repeat(5_000), 'At most 100 characters.'],
    ['login_url', '', 'Site login url is required'],
    ['login_url', ' ', 'Site login url is required'],
    ...[
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      ' javascript:alert(1)',
      'java\nscript:alert(1)',
      'data:text/html,<script>alert(1)</script>',
      'vbscript:x',
      'file:///etc/passwd',
      'blob:https://a/b',
      '//evil.example',
      '/relative',
      'https://',
      'evil',
    ].map((url): [string, string, string] => ['login_url', url, 'https://']),
    ['login_url', 'https://user:secret@a.org/', 'must not contain a user name'],
    ['login_url', `https://a.org/${'x'.repeat(5_000)}`, 'at most 2,000 characters'],
    ['icon_color', 'red;background:url(//evil)', '#rrggbb'],
    ['icon_background', 'expression(alert(1))', '#rrggbb'],
    ['text_color', '#12345', '#rrggbb'],
    ['text_background', 'var(--x)', '#rrggbb'],
    ['icon', '<img src=x onerror=alert(1)>', 'SVG'],
    ['icon_bg', 'https://evil.example/x.png', 'image'],
    ['icon_bg', '../../etc/passwd', 'image'],
    ['icon_width', 0, ''],
    ['icon_width', 100_000, ''],
    ['network_id', 2, ''],
    ['status', 'Disable', ''],
    ['kind', 'console', ''],
    ['__proto__', { admin: true }, ''],
  ])('§5 refuses %s %j', async (field, value, said) => {
    const site = await makeSite(testApp.db);
    const body = JSON.parse(
      JSON.stringify(info(site.id)).replace(/\}$/, `,${JSON.stringify(field)}:${JSON.stringify(value)}}`),
    );
    await expect(save(body)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(said) as unknown,
    });
    expect(await stored(site.id)).toEqual(site);
  });

  test('active content in an icon is removed', async () => {
    const { id } = await makeSite(testApp.db);
    await save(
      info(id, { icon: `<svg viewBox="0 0 9 9" onload="alert(1)"><script>alert(1)</script><path d="M0 0h9"/></svg>` }),
    );
    const kept = (await stored(id))?.icon ?? '';
    expect(kept).toContain('M0 0h9');
    expect(kept).not.toMatch(/onload|script/);
  });

  test('a site of another network is not found, even by an owner of both', async () => {
    const site = await makeSite(testApp.db, { network: 'southlab' });
    await expect(save(info(site.id))).rejects.toMatchObject({ code: 'not_found' });
    expect(await stored(site.id)).toEqual(site);
  });
});
