import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { desktopApp, sessionUser } from '../../testing/builders.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { answer, refusal, stubServer } from '../../testing/stub-server.ts';
import { homeRoute } from './desktop.routes.tsx';

const apps = [
  desktopApp({ id: 1, name: 'Reports' }),
  desktopApp({ id: 2, name: 'Sample Tracker' }),
  desktopApp({ id: 3, name: 'Cold storage' }),
];

const showDesktop = async (
  { favourites = [], recent = [] }: { favourites?: number[]; recent?: number[] },
  answers: Parameters<typeof stubServer>[0] = {},
) => {
  const asked = stubServer({
    'GET /server/getsession': answer({ user: sessionUser(), csrf: 'proof' }),
    'GET /server/sso/owner/northlab': answer('user'),
    'GET /server/sso/user_desktop_apps/7/sso-northlab/7/northlab/uid-ana': answer(apps),
    'GET /server/sso/desktop_sections/7': answer({ favourites, recent, sections: [], version: 0 }),
    ...answers,
  });
  renderScreen({ ...homeRoute, HydrateFallback: () => null }, '/');
  await screen.findAllByRole('link', { name: 'Reports' });
  return asked;
};
const namesIn = (section: string) =>
  within(screen.getByRole('list', { name: section }))
    .getAllByRole('link')
    .map((tile) => tile.textContent?.slice(1));
const star = (section: string, name: string) =>
  within(screen.getByRole('list', { name: section })).getByRole('button', { name });
const saved = (favourite: boolean) => ({ 'PUT /server/sso/desktop_favourite/2': answer({ favourite }) });

test('§2.3 favourites: without any, the desktop has no sections', async () => {
  await showDesktop({});
  expect(screen.queryByRole('region')).toBeNull();
  expect(namesIn('Apps')).toEqual(['Reports', 'Sample Tracker', 'Cold storage']);
});

test('§2.3 favourites: they are listed first, in their order, above all apps', async () => {
  await showDesktop({ favourites: [3, 1] });
  expect(screen.getAllByRole('region').map((region) => within(region).getByRole('heading').textContent)).toEqual([
    'Favourites',
    'All apps',
  ]);
  expect(namesIn('Favourites')).toEqual(['Cold storage', 'Reports']);
  expect(namesIn('All apps')).toEqual(['Reports', 'Sample Tracker', 'Cold storage']);
});

test('§2.3 favourites: a star adds an app, and keeps the focus', async () => {
  const asked = await showDesktop({}, saved(true));
  await userEvent.click(star('Apps', 'Add Sample Tracker to favourites'));
  await waitFor(() => expect(namesIn('Favourites')).toEqual(['Sample Tracker']));
  const pressed = star('All apps', 'Remove Sample Tracker from favourites');
  expect(pressed.getAttribute('aria-pressed')).toBe('true');
  expect(document.activeElement).toBe(pressed);
  await waitFor(() => expect(asked.at(-1)).toMatchObject({ body: { favourite: true } }));
});

test('§2.3 favourites: the removal of a favourite moves the focus to the next one, at last to all apps', async () => {
  await showDesktop(
    { favourites: [2, 3] },
    { ...saved(false), 'PUT /server/sso/desktop_favourite/3': answer({ favourite: false }) },
  );
  await userEvent.click(star('Favourites', 'Remove Sample Tracker from favourites'));
  await waitFor(() => expect(namesIn('Favourites')).toEqual(['Cold storage']));
  expect(document.activeElement).toBe(star('Favourites', 'Remove Cold storage from favourites'));
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Favourites' })).toBeNull());
  expect(document.activeElement).toBe(star('Apps', 'Add Cold storage to favourites'));
});

test.each([
  ['an addition', [3, 1], 'Add Sample Tracker to favourites'],
  ['a removal', [3, 2, 1], 'Remove Sample Tracker from favourites'],
])('§2.3 favourites: %s that fails is taken back, with the reason', async (_case, favourites, name) => {
  let fail: () => void = () => {};
  const failure = new Promise<ReturnType<typeof refusal>>((resolve) => {
    fail = () => resolve(refusal('internal'));
  });
  await showDesktop({ favourites }, { 'PUT /server/sso/desktop_favourite/2': failure });
  const before = namesIn('Favourites');
  await userEvent.click(star('All apps', name));
  await waitFor(() => expect(namesIn('Favourites')).not.toEqual(before));
  fail();
  await waitFor(() => expect(namesIn('Favourites')).toEqual(before));
  expect(await screen.findByRole('alert')).toBeDefined();
});

test('§2.3 favourites: a search lists each app once, with its star', async () => {
  await showDesktop({ favourites: [2] });
  await userEvent.type(screen.getByRole('textbox', { name: 'Search apps' }), 'SAMPLE');
  expect(screen.getAllByRole('link')).toHaveLength(1);
  expect(star('Apps', 'Remove Sample Tracker from favourites')).toBeDefined();
  await userEvent.type(screen.getByRole('textbox', { name: 'Search apps' }), 'zzz');
  expect(screen.getByText('Sorry! no apps found')).toBeDefined();
});

test('§2.3 favourites: if they cannot be loaded, the desktop is shown without stars', async () => {
  await showDesktop({}, { 'GET /server/sso/desktop_sections/7': refusal('internal') });
  expect(namesIn('Apps')).toHaveLength(3);
  expect(screen.queryByRole('button', { name: /favourites/ })).toBeNull();
});
