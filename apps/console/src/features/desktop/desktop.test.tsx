import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { desktopApp, sessionUser } from '../../testing/builders.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { answer, refusal, stubServer } from '../../testing/stub-server.ts';
import { homeRoute } from './desktop.routes.tsx';

const apps = [
  desktopApp({ id: 1, name: 'Reports' }),
  desktopApp({ id: 2, name: 'Sample Tracker' }),
  desktopApp({ id: 3, name: 'Cold storage' }),
];
const session = (changes = {}) => answer({ user: sessionUser(changes), csrf: 'proof' });
const userApps = 'GET /server/sso/user_desktop_apps/7/sso-northlab/7/northlab/uid-ana';

const showDesktop = (answers: Parameters<typeof stubServer>[0]) => {
  const asked = stubServer({ 'GET /server/getsession': session(), ...answers });
  renderScreen({ ...homeRoute, HydrateFallback: () => null }, '/');
  return asked;
};
const tileNames = () => screen.queryAllByRole('link').map((tile) => tile.textContent?.slice(1));

test('§2.3 desktop: the search box filters tiles by name, ignoring case and surrounding space', async () => {
  showDesktop({ 'GET /server/sso/owner/northlab': answer('user'), [userApps]: answer(apps) });
  await screen.findByRole('link', { name: 'Reports' });
  await userEvent.type(screen.getByRole('textbox', { name: 'Search apps' }), '  sToR ');
  expect(tileNames()).toEqual(['Cold storage']);
  await userEvent.keyboard('{Escape}');
  expect(tileNames()).toHaveLength(3);
});

test('§2.3 desktop: an empty list and a search without a match show a text', async () => {
  showDesktop({ 'GET /server/sso/owner/northlab': answer('user'), [userApps]: answer([]) });
  expect(await screen.findByText('Sorry! no apps found')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Clear the search' })).toBeNull();
});

test('§2.3 desktop: a search without a match can be cleared', async () => {
  showDesktop({ 'GET /server/sso/owner/northlab': answer('user'), [userApps]: answer(apps) });
  await screen.findByRole('link', { name: 'Reports' });
  await userEvent.keyboard('/');
  await userEvent.keyboard('zzz');
  expect(screen.getByText('Sorry! no apps found')).toBeDefined();
  await userEvent.click(screen.getAllByRole('button', { name: 'Clear the search' })[0] as HTMLElement);
  expect(tileNames()).toHaveLength(3);
});

test('§2.3 desktop: Enter in the search box opens the first match', async () => {
  showDesktop({ 'GET /server/sso/owner/northlab': answer('user'), [userApps]: answer(apps) });
  const opened = vi.fn((event: Event) => event.preventDefault());
  (await screen.findByRole('link', { name: 'Sample Tracker' })).addEventListener('click', opened);
  const box = screen.getByRole('textbox', { name: 'Search apps' });
  await userEvent.type(box, '{Enter}');
  expect(opened).not.toHaveBeenCalled();
  await userEvent.type(box, 'sample{Enter}');
  expect(opened).toHaveBeenCalledOnce();
});

test('§6 desktop: the exact role admin sees the whole desktop', async () => {
  showDesktop({
    'GET /server/sso/owner/northlab': answer('admin'),
    'GET /server/sso/desktop_apps/7': answer(apps),
    [userApps]: answer([]),
  });
  expect(await screen.findByRole('link', { name: 'Reports' })).toBeDefined();
});

test.each([
  ['a failed role call', refusal('internal')],
  ['an unknown role', answer('Admin')],
  ['an empty answer', answer('')],
])('§6 desktop: %s means user', async (_case, role) => {
  const asked = showDesktop({ 'GET /server/sso/owner/northlab': role, [userApps]: answer(apps) });
  expect(await screen.findByRole('link', { name: 'Reports' })).toBeDefined();
  expect(asked.map(({ path }) => path)).not.toContain('/server/sso/desktop_apps/7');
});

test('§2.1 desktop: home selects and shows the default network', async () => {
  const asked = showDesktop({
    'GET /server/getsession': session({ selected_server: 'southlab', selected_id: 8, sso_id: 'sso-southlab' }),
    'PUT /server/set_selected/1': session(),
    'GET /server/sso/owner/northlab': answer('user'),
    [userApps]: answer(apps),
  });
  expect(await screen.findByRole('link', { name: 'Reports' })).toBeDefined();
  expect(asked.find(({ path }) => path.includes('set_selected'))?.body).toEqual({
    selected_server: 'northlab',
    selected_id: 7,
  });
});

test('§8 desktop: a failed load shows the error panel, and a retry works', async () => {
  const answers = { 'GET /server/sso/owner/northlab': answer('user'), [userApps]: refusal('internal') };
  showDesktop(answers);
  const text = 'Something went wrong with the SSO Server. Please try again or report an issue to support';
  expect(await screen.findByText(text)).toBeDefined();
  stubServer({ ...answers, [userApps]: answer(apps) });
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('link', { name: 'Reports' })).toBeDefined();
});

test('§4 desktop: an expired session redirects to the sign-in', async () => {
  const leave = vi.spyOn(window.location, 'replace').mockImplementation(() => {});
  showDesktop({ 'GET /server/sso/owner/northlab': answer('user'), [userApps]: refusal('auth_required') });
  await waitFor(() => expect(leave).toHaveBeenCalledWith(expect.stringMatching(/^\/server\/saml\/login\?next=/)));
});

test('§7 desktop: calls send the CSRF token of the session', async () => {
  const asked = showDesktop({ 'GET /server/sso/owner/northlab': answer('user'), [userApps]: answer(apps) });
  await screen.findByRole('link', { name: 'Reports' });
  expect(asked.at(-1)?.headers.get('x-csrf')).toBe('proof');
});
