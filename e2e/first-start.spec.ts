import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from './fixtures.ts';
import { password } from './world.ts';

const port = 4102;
let server: ChildProcess;
let folder: string;

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'opensocial-first-'));
  await chmod(folder, 0o711);
  server = spawn('node', ['apps/server/src/main.ts'], {
    cwd: join(import.meta.dirname, '..'),
    env: {
      ...process.env,
      DATA_DIR: join(folder, 'data'),
      PORT: String(port),
      FIRST_OWNER_EMAIL: 'first@northlab.org',
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
});

test.afterAll(async () => {
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  expect(await ended).toBe(0);
  await rm(folder, { recursive: true, force: true });
});

/** What the start prints, as far as the link. */
const printedLink = async (): Promise<string> => {
  let printed = '';
  for await (const chunk of server.stdout ?? []) {
    printed += String(chunk);
    const link = /http:\S+set-password\S+/.exec(printed)?.[0];
    if (link) return link;
  }
  throw new Error(`No link was printed: ${printed}`);
};

test('§2.14 first start: the printed link, a password, a sign-in, the desktop', async ({ page }) => {
  await page.goto(await printedLink());
  await page.getByLabel('Enter Password', { exact: true }).fill(password);
  await page.getByLabel('Retype Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Confirm Account' }).click();
  await page.getByRole('link', { name: 'Click here to login' }).click();
  await page.getByLabel('Email').fill('first@northlab.org');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: /^Good / })).toBeVisible();
  await expect(page.getByText('Sorry! no apps found')).toBeVisible();
  expect(page.url()).toBe(`http://localhost:${port}/`);
});
