import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { desktopApp, sessionUser } from '../../../testing/builders.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { answer, refusal, stubServer } from '../../../testing/stub-server.ts';
import { homeRoute } from '../desktop.routes.tsx';

type Stored = { id: number; name: string; collapsed: boolean; apps: number[] };

const apps = [
  desktopApp({ id: 1, name: 'Reports' }),
  desktopApp({ id: 2, name: 'Sample Tracker' }),
  desktopApp({ id: 3, name: 'Cold storage' }),
];
const data: Stored = { id: 7, name: 'Data', collapsed: false, apps: [3, 1] };
const daily: Stored = { id: 8, name: 'Daily', collapsed: false, apps: [] };
const stored = (sections: Stored[], version = 4) => answer({ favourites: [], recent: [], sections, version });

const showDesktop = async (sections: Stored[], answers: Parameters<typeof stubServer>[0] = {}) => {
  const asked = stubServer({
    'GET /server/getsession': answer({ user: sessionUser(), csrf: 'proof' }),
    'GET /server/sso/owner/northlab': answer('user'),
    'GET /server/sso/user_desktop_apps/7/sso-northlab/7/northlab/uid-ana': answer(apps),
    'GET /server/sso/desktop_sections/7': stored(sections),
    ...answers,
  });
  renderScreen({ ...homeRoute, HydrateFallback: () => null }, '/');
  await screen.findByRole('button', { name: 'Arrange' });
  return asked;
};
const openDialog = async (...args: Parameters<typeof showDesktop>) => {
  const asked = await showDesktop(...args);
  await userEvent.click(screen.getByRole('button', { name: 'Arrange' }));
  await screen.findByRole('dialog', { name: 'Arrange your desktop' });
  return asked;
};
const save = 'PUT /server/sso/desktop_sections/7';
const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));
const sectionTitles = () =>
  screen.getAllByRole('button', { name: /\d apps?$/ }).map((title) => title.textContent?.replace(/ \d+ apps?$/, ''));
const appsIn = (section: string) =>
  within(screen.getByRole('list', { name: `Apps in ${section}` }))
    .getAllByRole('listitem')
    .map((row) => row.textContent?.slice(1));
const isFocused = (name: string) => expect(document.activeElement?.getAttribute('aria-label')).toBe(name);
const choose = async (section: string, app: string) => {
  await userEvent.click(screen.getByRole('combobox', { name: `Add apps to ${section}` }));
  await userEvent.click(await screen.findByRole('option', { name: app }));
};

test('§2.3 sections: their headings collapse them, at once and for other browsers', async () => {
  const asked = await showDesktop([data], { 'PUT /server/sso/desktop_section/7/7': answer({ collapsed: true }) });
  expect(screen.getAllByRole('region').map((region) => within(region).getByRole('heading').textContent)).toEqual([
    'Data',
    'Other apps',
  ]);
  const heading = screen.getByRole('button', { name: 'Data' });
  expect(heading.getAttribute('aria-expanded')).toBe('true');
  await userEvent.click(heading);
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Data' })).toBeNull());
  expect(heading.getAttribute('aria-expanded')).toBe('false');
  expect(document.activeElement).toBe(heading);
  await waitFor(() => expect(asked.at(-1)).toMatchObject({ body: { collapsed: true } }));
  await userEvent.type(screen.getByRole('textbox', { name: 'Search apps' }), 'cold');
  expect(screen.getAllByRole('link')).toHaveLength(1);
});

test('§2.3 sections: a collapse that fails is taken back, with the reason', async () => {
  await showDesktop([data], { 'PUT /server/sso/desktop_section/7/7': refusal('internal') });
  await press('Data');
  expect(await screen.findByRole('alert')).toBeDefined();
  expect(screen.getByRole('list', { name: 'Data' })).toBeDefined();
});

test('§2.3 sections: an empty one says how to fill it', async () => {
  await showDesktop([daily]);
  expect(screen.getByText('There are no apps in this section. Press Arrange to add some.')).toBeDefined();
});

test('§2.3 arrange: a first section is made and filled by keyboard, and saved', async () => {
  const saved: Stored = { id: 9, name: 'Data analysis', collapsed: false, apps: [2] };
  const asked = await openDialog([], { [save]: answer({ sections: [saved], version: 5 }) });
  expect(screen.getByText(/^You have no sections yet/)).toBeDefined();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'New section' })));
  await userEvent.keyboard('Data analysis{Enter}');
  isFocused('Add apps to Data analysis');
  await userEvent.keyboard('samp{ArrowDown}{Enter}');
  expect(appsIn('Data analysis')).toEqual(['Sample Tracker']);
  expect(screen.getByText('Sample Tracker added to Data analysis.')).toBeDefined();
  await press('Save');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(asked.find(({ body }) => body)?.body).toEqual({
    sections: [{ name: 'Data analysis', apps: [2] }],
    version: 4,
  });
  expect(screen.getByRole('list', { name: 'Data analysis' })).toBeDefined();
  expect(screen.getByRole('list', { name: 'Other apps' })).toBeDefined();
});

test('§2.3 arrange: a name that was not added yet is saved too', async () => {
  const asked = await openDialog([data], { [save]: answer({ sections: [data], version: 5 }) });
  await userEvent.type(screen.getByRole('textbox', { name: 'New section' }), 'Later');
  await press('Save');
  await waitFor(() =>
    expect(asked.find(({ body }) => body)?.body).toMatchObject({ sections: [{}, { name: 'Later' }] }),
  );
});

test('§2.3 arrange: apps and sections are moved with buttons, which keep the focus', async () => {
  await openDialog([data, daily]);
  await press('Data 2 apps');
  await press('Move Cold storage down');
  expect(appsIn('Data')).toEqual(['Reports', 'Cold storage']);
  isFocused('Move Cold storage down');
  expect(screen.getByText('Cold storage: place 2 of 2 in Data.')).toBeDefined();
  // It is the last one, so that the button has no effect.
  await userEvent.keyboard('{Enter}');
  expect(appsIn('Data')).toEqual(['Reports', 'Cold storage']);
  await press('Move Data down');
  expect(sectionTitles()).toEqual(['Daily', 'Data']);
  isFocused('Move Data down');
});

test('§2.3 arrange: the menu of an app moves it to another section, or takes it out', async () => {
  await openDialog([data, daily]);
  await press('Data 2 apps');
  await press('More for Cold storage');
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Move to Daily' }));
  expect(appsIn('Data')).toEqual(['Reports']);
  await waitFor(() => isFocused('More for Reports'));
  await press('More for Reports');
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Remove from this section' }));
  await waitFor(() => isFocused('Add apps to Data'));
  expect(screen.getByText('There are no apps in this section yet.')).toBeDefined();
  await press('Daily 1 app');
  expect(appsIn('Daily')).toEqual(['Cold storage']);
  await choose('Daily', 'Reports');
  expect(appsIn('Daily')).toEqual(['Cold storage', 'Reports']);
});

test('§2.3 arrange: a deleted section can be brought back', async () => {
  const asked = await openDialog([data, daily], { [save]: answer({ sections: [daily], version: 5 }) });
  await press('Delete Data');
  expect(sectionTitles()).toEqual(['Daily']);
  expect(document.activeElement?.textContent).toBe('Undo');
  await userEvent.keyboard('{Enter}');
  expect(sectionTitles()).toEqual(['Data', 'Daily']);
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Data 2 apps' }));
  await press('Delete Data');
  await press('Save');
  await waitFor(() => expect(asked.find(({ body }) => body)?.body).toMatchObject({ sections: [{ id: 8 }] }));
});

test('§2.3 arrange: a name that is missing or taken is shown at its section', async () => {
  const asked = await openDialog([data, daily]);
  await press('Daily 0 apps');
  await userEvent.clear(screen.getByRole('textbox', { name: 'Section name' }));
  await userEvent.type(screen.getByRole('textbox', { name: 'Section name' }), 'data');
  await press('data 0 apps');
  await press('Save');
  expect(await screen.findByText('Another section has this name.')).toBeDefined();
  expect(asked.find(({ body }) => body)).toBeUndefined();
});

test('§2.3 arrange: a save that fails keeps the input, and closing asks before it is lost', async () => {
  await openDialog([data], { [save]: refusal('internal') });
  await press('Move Cold storage down');
  await press('Save');
  expect(await screen.findByRole('alert')).toBeDefined();
  expect(appsIn('Data')).toEqual(['Reports', 'Cold storage']);
  await press('Cancel');
  expect(await screen.findByRole('dialog', { name: 'Leave without saving?' })).toBeDefined();
});

const refuseFirst = async () => {
  const asked = await openDialog([data], { [save]: refusal('sections_changed') });
  await press('Move Cold storage down');
  await press('Save');
  expect(await screen.findByText(/You have changed your sections in another browser/)).toBeDefined();
  // A second attempt needs a decision.
  await press('Save');
  expect(asked.filter(({ body }) => body)).toHaveLength(1);
  return stubServer({
    'GET /server/sso/desktop_sections/7': stored([{ ...daily, name: 'Theirs' }], 6),
    [save]: answer({ sections: [{ ...data, id: 12 }], version: 7 }),
  });
};

test('§2.3 arrange: after another browser has saved, the own sections can replace them', async () => {
  const asked = await refuseFirst();
  await press('Save mine anyway');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  // The section was deleted by the other browser, so it is a new one.
  expect(asked.at(-1)?.body).toEqual({ sections: [{ name: 'Data', apps: [1, 3] }], version: 6 });
});

test('§2.3 arrange: after another browser has saved, its sections can be edited instead', async () => {
  const asked = await refuseFirst();
  await press('Show the current ones');
  await waitFor(() => expect(sectionTitles()).toEqual(['Theirs']));
  expect(screen.queryByText(/in another browser/)).toBeNull();
  expect(asked.filter(({ body }) => body)).toEqual([]);
  await press('Cancel');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});
