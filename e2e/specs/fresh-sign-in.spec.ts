import { expect, expectAccessible, signIn, test } from '../support/fixtures.ts';
import { openSessions, origin, password, people } from '../support/world.ts';

/** The refusal for an old sign-in, which the first attempt gets. */
const refusal = {
  status: 401,
  json: {
    code: 'reauth_required',
    message: 'This change requires a sign-in within the last ten minutes. Please sign in again.',
  },
};

test('a change of access rights asks for a fresh sign-in in another tab, and is then made automatically', async ({
  page,
  context,
}) => {
  await signIn(page, people.jon, '/sso-servers/dragdesk/admins');
  await page.getByRole('button', { name: 'Add New Owner' }).click();
  const modal = page.getByRole('dialog', { name: 'Add New Owner' });
  await modal.getByLabel('Email address').fill('fresh@dragdesk.org');
  await page.route('**/server/sso/owner/new/dragdesk', (route) => route.fulfill(refusal), { times: 1 });
  await modal.getByRole('button', { name: 'Add Owner' }).click();
  const dialog = page.getByRole('dialog', { name: 'Please sign in again' });
  await expect(dialog).toContainText(refusal.json.message);
  await expectAccessible(page);

  const [other] = await Promise.all([
    context.waitForEvent('page'),
    dialog.getByRole('button', { name: 'Sign in again' }).click(),
  ]);
  await expect(other.getByText('Please sign in again to confirm that it is you.')).toBeVisible();
  await other.getByLabel('Email').fill(people.jon.email);
  await other.getByLabel('Password', { exact: true }).fill(password);
  await other.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText('Admin email sucessfully added')).toBeVisible();
  await expect(page.getByRole('row', { name: 'fresh@dragdesk.org' })).toBeVisible();
  await expect(page).toHaveURL(`${origin}/sso-servers/dragdesk/admins`);
});

test('if the fresh sign-in is cancelled, the change is not made and the input is kept', async ({ page }) => {
  await signIn(page, people.jon, '/sso-servers/dragdesk/admins');
  await page.getByRole('button', { name: 'Add New Owner' }).click();
  const modal = page.getByRole('dialog', { name: 'Add New Owner' });
  await modal.getByLabel('Email address').fill('never@dragdesk.org');
  await page.route('**/server/sso/owner/new/dragdesk', (route) => route.fulfill(refusal), { times: 1 });
  await modal.getByRole('button', { name: 'Add Owner' }).click();
  await page.getByRole('dialog', { name: 'Please sign in again' }).getByRole('button', { name: 'Cancel' }).click();
  await expect(modal.getByRole('alert')).toHaveText('Nothing was changed, because you did not sign in again.');
  await expect(modal.getByLabel('Email address')).toHaveValue('never@dragdesk.org');
});

test('a console that shows one person changes nothing after another person has signed in in another tab', async ({
  page,
  context,
}) => {
  await signIn(page, people.jon, '/sso-servers/dragdesk/admins');
  await page.getByRole('button', { name: 'Add New Owner' }).click();
  const modal = page.getByRole('dialog', { name: 'Add New Owner' });
  await modal.getByLabel('Email address').fill('mixed-up@dragdesk.org');
  await context.addCookies([{ name: 'opensocial_session', value: openSessions.sol, url: origin }]);
  await modal.getByRole('button', { name: 'Add Owner' }).click();
  const dialog = page.getByRole('dialog', { name: 'Another person has signed in' });
  await expect(dialog).toContainText(`This browser is now signed in as ${people.sol.email}. Nothing was changed.`);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Reload the console' }).click();
  await expect(page.getByRole('button', { name: /Sol Vega/ })).toBeVisible();
});

test('§2.7 switching off the second factor of a site requires a fresh sign-in, and the input is kept', async ({
  page,
  context,
}) => {
  await context.addCookies([{ name: 'opensocial_session', value: openSessions.sol, url: origin }]);
  await page.goto('/sso-servers/sociallab/sites');
  await page.getByRole('link', { name: 'guarded.sociallab.org' }).click();
  const panel = page.getByRole('dialog', { name: 'Guarded Application' });
  const siteName = panel.getByLabel('Site Name');
  const secondFactor = panel.getByRole('switch', { name: 'Multi-factor Authentication' });
  await siteName.fill('Unguarded Application');
  await secondFactor.uncheck();
  const save = panel.getByRole('button', { name: 'update site' });
  const dialog = page.getByRole('dialog', { name: 'Please sign in again' });

  await save.click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(panel.getByText('Nothing was changed, because you did not sign in again.')).toBeInViewport();
  await expect(siteName).toHaveValue('Unguarded Application');
  await expect(secondFactor).not.toBeChecked();

  await save.click();
  const [other] = await Promise.all([
    context.waitForEvent('page'),
    dialog.getByRole('button', { name: 'Sign in again' }).click(),
  ]);
  await other.getByLabel('Email').fill(people.sol.email);
  await other.getByLabel('Password', { exact: true }).fill(password);
  await other.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText('Site sucessfully updated.')).toBeVisible();
  await page.reload();
  await expect(siteName).toHaveValue('Unguarded Application');
  await expect(secondFactor).not.toBeChecked();
});
