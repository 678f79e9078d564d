import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../apps/server/src/config.ts';
import type { Database } from '../apps/server/src/database/connect.ts';
import { sites } from '../apps/server/src/database/schema.ts';
import { createNetwork } from '../apps/server/src/features/networks/networks.service.ts';
import { createLog } from '../apps/server/src/log.ts';
import { startServer } from '../apps/server/src/process/start.ts';
import { Browser } from '../apps/server/src/testing/app/browser.ts';
import { makeUser, networkNamed, signInto } from '../apps/server/src/testing/app/builders.ts';
import { launchBrowser } from '../e2e/support/browser.ts';

declare global {
  interface Window {
    /** Set by the measurement in the page. */
    frameTimes?: number[];
  }
}

/**
 * Measures the User Desktop of a network with 20 sites and of one with 2,000, half of them on the desktop, in a
 * browser: the time to open it, the frame times while a tile is dragged to the end of the list, and the time of a save.
 */
const sizes = { few: 20, many: 2_000 } as const;
const origin = 'http://localhost:4195';

const folder = await mkdtemp(join(tmpdir(), 'opensocial-desktop-'));
await chmod(folder, 0o711);
const config = readConfig({ DATA_DIR: folder, PORT: new URL(origin).port, PUBLIC_URL: origin, LOG_LEVEL: 'error' });
const server = await startServer(config, createLog(config.logLevel));
const { db } = server.parts;

/** As large as an icon of the library. */
const icon = (place: number) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512"><path d="M${place} ${'0h9v9h-9z'.repeat(70)}"/></svg>`;

const fill = async (to: Database, network: string, count: number): Promise<void> => {
  await to.transaction((tx) => createNetwork(tx, server.parts, network));
  const { id } = await networkNamed(to, network);
  const drafts = Array.from({ length: count }, (_, place) => {
    const domain = `app-${String(place).padStart(4, '0')}.${network}.org`;
    const address = `https://${domain}/`;
    const tile = { icon: icon(place), icon_color: '#0f766e', icon_background: '#d5eeeb' };
    const parameters = { identity: address, acs: `${address}acs`, sls: `${address}sls`, domain };
    return {
      network_id: id,
      site_name: `App ${place}`,
      ...parameters,
      ...tile,
      desktop_position: place % 2 ? place : null,
    };
  });
  for (let from = 0; from < count; from += 500) await to.insert(sites).values(drafts.slice(from, from + 500));
};
for (const [network, count] of Object.entries(sizes)) await fill(db, network, count);
const owner = await makeUser(db, { network: 'many', owns: ['many', 'few'] });
const { cookies } = await signInto(db, new Browser(undefined as never), owner);

const browser = await launchBrowser();
const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
await context.addCookies([{ name: 'opensocial_session', value: cookies.get('opensocial_session') ?? '', url: origin }]);
const page = await context.newPage();

const protocol = await context.newCDPSession(page);
await protocol.send('Performance.enable');
/** Milliseconds of work on the page's main thread. */
const worked = async (): Promise<Record<string, number>> => {
  const { metrics } = await protocol.send('Performance.getMetrics');
  return Object.fromEntries(metrics.map(({ name, value }) => [name.replace('Duration', ''), value * 1_000]));
};

const quantile = (values: number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) * share)] ?? 0;

for (const network of Object.keys(sizes)) {
  // The first load warms the cache, the second is measured.
  for (let round = 0; round < 2; round += 1) await page.goto(`${origin}/sso-servers/${network}/desktop`);
  const tiles = page.getByRole('region', { name: 'Desktop Apps' });
  const begun = Date.now();
  await page.reload();
  await tiles.getByRole('button', { name: /^App/ }).first().waitFor();
  const opened = Date.now() - begun;

  await page.evaluate(() => {
    const frames: number[] = [];
    let last = performance.now();
    const tick = (now: number) => {
      frames.push(now - last);
      last = now;
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    window.frameTimes = frames;
  });
  const before = await worked();
  const box = await tiles.boundingBox();
  if (!box) throw new Error('There are no tiles.');
  await page.mouse.move(box.x + 80, box.y + 120);
  await page.mouse.down();
  for (let step = 0; step < 120; step += 1)
    await page.mouse.move(box.x + 80 + ((step * 37) % (box.width - 160)), box.y + 100 + ((step * 13) % 300));
  // Held at the lower edge, the tile makes the list scroll.
  await page.mouse.move(box.x + 300, box.y + box.height - 12, { steps: 10 });
  await tiles.locator('ul').evaluate(
    (list) =>
      new Promise<void>((resolve) => {
        const end = performance.now() + 2_000;
        const look = () =>
          performance.now() > end || (list.parentElement?.scrollTop ?? 0) > 2_000
            ? resolve()
            : requestAnimationFrame(look);
        look();
      }),
  );
  const after = await worked();
  const saved = page.waitForResponse((answer) => answer.request().method() === 'POST');
  const dropped = Date.now();
  await page.mouse.up();
  await (await saved).finished();
  const took = Date.now() - dropped;
  const frames = (await page.evaluate(() => window.frameTimes ?? [])).slice(2);
  const spent = ['Script', 'RecalcStyle', 'Layout', 'Task'].map(
    (part) => `${part} ${(((after[part] ?? 0) - (before[part] ?? 0)) / frames.length).toFixed(1)}`,
  );
  const scrolled = await tiles.locator('ul').evaluate((list) => list.parentElement?.scrollTop ?? 0);
  const figures = [0.5, 0.95, 0.99, 1].map((share) => quantile(frames, share).toFixed(1)).join(' / ');
  process.stdout.write(
    `${network}: opened in ${opened} ms; ${frames.length} frames while dragging (${Math.round(scrolled)} px scrolled), ` +
      `median / 95 % / 99 % / longest ${figures} ms, ${spent.join(', ')} ms a frame; saved ${took} ms after the drop\n`,
  );
}
await browser.close();
await server.stop();
await rm(folder, { recursive: true, force: true });
process.exit(0);
