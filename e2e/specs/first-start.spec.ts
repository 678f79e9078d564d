import { expect, test } from '../support/fixtures.ts';
import { startProgram } from '../support/program.ts';
import { password, firstStartPort as port } from '../support/world.ts';

let server: Awaited<ReturnType<typeof startProgram>>;

test.beforeAll(async () => {
  server = await startProgram('apps/server/dist/main.js', {
    PORT: String(port),
    FIRST_OWNER_EMAIL: 'first@northlab.org',
    LOG_LEVEL: 'error',
  });
});

test.afterAll(async () => expect(await server.stop()).toBe(0));

test('§2.14 first start: the printed link sets a password, which signs in to the desktop', async ({ page }) => {
  const [link = ''] = /http:\S+set-password\S+/.exec(await server.printed(/set-password\S+\s/)) ?? [];
  await page.goto(link);
  await page.getByLabel('Enter Password', { exact: true }).fill(password);
  await page.getByLabel('Retype Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Confirm Account' }).click();
  await page.getByRole('link', { name: 'Click here to login' }).click();
  await page.getByLabel('Email').fill('first@northlab.org');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('heading', { name: /^(Good|Hello)/ })).toBeVisible();
  await expect(page.getByText('Sorry! no apps found')).toBeVisible();
  await expect(page).toHaveURL(`http://localhost:${port}/`);
});
