import { IconUsers } from '@tabler/icons-react';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import { network, sessionUser } from '../../testing/builders.ts';
import { stubLayout } from '../../testing/layout.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { answer, refusal, stubServer, textAnswer } from '../../testing/stub-server.ts';
import { routes } from '../router.tsx';
import { readCookie, writeCookie } from './navigation/cookies.ts';
import { menuEntriesFor } from './navigation/navigation.ts';

beforeEach(() => {
  stubLayout();
  writeCookie('sidebar', 'expanded');
});

const session = (changes = {}) => answer({ user: sessionUser(changes), csrf: 'proof' });
const labs = [network({ id: 7, url: 'northlab' }), network({ id: 8, url: 'southlab' })];
const south = { selected_server: 'southlab', selected_id: 8, sso_id: 'sso-southlab' };

const open = (address: string, answers: Parameters<typeof stubServer>[0] = {}) => {
  const asked = stubServer({
    'GET /server/getsession': session(),
    'GET /server/sso/owner/northlab': answer('user'),
    'GET /server/sso/owner/southlab': answer('admin'),
    'GET /server/sso/owner/opensocial': answer('user'),
    'GET /server/sso/desktop_apps/8': answer([]),
    'GET /server/sso/user_desktop_apps/7/sso-northlab/7/northlab/uid-ana': answer([]),
    'GET /server/sso/servers/ana%40northlab.org/0': answer({ data: labs, all_servers: 2 }),
    'GET /server/sso/servers/search/ana%40northlab.org/so/0': answer({ data: labs.slice(1), all_servers: 1 }),
    'GET /server/embedded': answer({ report_url: '', designer_url: '' }),
    'PUT /server/set_selected/1': session(south),
    ...answers,
  });
  const [root] = routes;
  if (!root) throw new Error('The console has no routes');
  return { asked, router: renderScreen(root, address).router };
};
const menu = () => screen.findByRole('navigation', { name: 'Main' });

describe('§2.2 shell: left menu', () => {
  test('shows the entries in order and marks the current one', async () => {
    open('/sso-servers');
    const links = within(await menu()).getAllByRole('link');
    expect(links.map(({ textContent }) => textContent)).toEqual([
      'Desktop',
      'Activity',
      'OpenSocial Networks',
      'Profile',
    ]);
    await waitFor(() =>
      expect(links.map((link) => link.getAttribute('aria-current'))).toEqual([null, null, 'page', null]),
    );
  });

  test('marks the entry for the desktop and the panel of a network', async () => {
    const { router } = open('/sso-servers/southlab');
    const marked = async () =>
      within(await menu())
        .getAllByRole('link')
        .find((link) => link.getAttribute('aria-current'))?.textContent;
    expect(await marked()).toBe('Desktop');
    await router.navigate('/opensocial/server/southlab/8/details');
    await waitFor(async () => expect(await marked()).toBe('OpenSocial Networks'));
  });

  test('§7 role user does not see the entries for administrators', () => {
    const entries = [
      { label: 'Desktop', icon: IconUsers, to: () => '/' },
      { label: 'Users', icon: IconUsers, to: () => '/users', adminOnly: true as const },
    ];
    expect(menuEntriesFor(false, entries).map(({ label }) => label)).toEqual(['Desktop']);
    expect(menuEntriesFor(true, entries)).toHaveLength(2);
  });

  test('the collapse toggle is remembered in a cookie', async () => {
    open('/about');
    await userEvent.click(await screen.findByRole('button', { name: 'Collapse' }));
    expect(readCookie('sidebar')).toBe('collapsed');
    expect(screen.getByRole('button', { name: 'Expand' }).getAttribute('aria-expanded')).toBe('false');
    expect(within(await menu()).getByRole('link', { name: 'Desktop' })).toBeDefined();
  });

  test('the help bubble shows version and release date', async () => {
    open('/about');
    await userEvent.click(await screen.findByRole('button', { name: 'Help' }));
    expect(await screen.findByText('App Version 1.01.41324')).toBeDefined();
    expect(screen.getByText('Release Date 23-07-2025')).toBeDefined();
  });
});

describe('§2.2 shell: top bar', () => {
  test('shows the name, the admin flag and a link to logout', async () => {
    open('/about', { 'GET /server/getsession': session({ is_admin: true }) });
    await userEvent.click(await screen.findByRole('button', { name: /Hi, Ana Moreno.*Owner/ }));
    expect((await screen.findByRole('menuitem', { name: 'Logout' })).getAttribute('href')).toBe('/server/saml/logout');
  });

  test("'Default Server' is disabled on the root path, with a reason", async () => {
    open('/');
    const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Default Server' });
    expect(button.getAttribute('aria-disabled')).toBe('true');
    expect(button.title).toBe('northlab is your default server');
  });

  test("§2.2 'Default Server' is disabled on every screen of the default network, with a reason", async () => {
    open('/about');
    const button = await screen.findByRole('button', { name: 'Default Server' });
    expect(button.getAttribute('aria-disabled')).toBe('true');
    expect(button.title).toBe('northlab is your default server');
    await userEvent.click(button);
    expect(screen.queryByText('Do you want to set this as default server?')).toBeNull();
  });

  test("'Default Server' makes the selected network the default one after a confirmation", async () => {
    const { asked } = open('/about', {
      'GET /server/getsession': session(south),
      'PUT /server/set_default/1': session({ ...south, default_server: 'southlab', server_id: 8 }),
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Default Server' }));
    expect(await screen.findByText('Do you want to set this as default server?')).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Set as default' }));
    await waitFor(() => expect(screen.queryByText('Confirm setting default server')).toBeNull());
    expect(asked.at(-1)?.body).toEqual({
      default_server: 'southlab',
      server_id: 8,
      selected_server: 'southlab',
      selected_id: 8,
    });
  });
});

describe('§2.2 shell: the selected network', () => {
  test('its role is stored in a cookie', async () => {
    open('/about', { 'GET /server/getsession': session(south) });
    await waitFor(() => expect(readCookie('user_role')).toBe('admin'));
  });

  test('its box opens the network switcher', async () => {
    const { router } = open('/about');
    await userEvent.click(await screen.findByRole('button', { name: 'Network northlab' }));
    await userEvent.type(await screen.findByRole('combobox'), 'so');
    await waitFor(() =>
      expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['southlab']),
    );
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(router.state.location.pathname).toBe('/sso-servers/southlab'));
    expect(await screen.findByRole('button', { name: 'Network southlab' })).toBeDefined();
  });

  test('Enter opens the first network, even if the list was cached', async () => {
    const { router } = open('/sso-servers');
    await screen.findByRole('link', { name: 'southlab' });
    await userEvent.click(screen.getByRole('button', { name: 'Switch to a different network' }));
    await screen.findByRole('option', { name: /northlab/ });
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(router.state.location.pathname).toBe('/sso-servers/northlab'));
  });

  test.each([
    ['cannot be looked up', textAnswer(400, 'The directory is down'), {}, 'The directory is down'],
    ['is not theirs', answer({ data: [], all_servers: 0 }), {}, "You don't have permission to access this server."],
    [
      'cannot be selected',
      answer({ data: [labs[1]], all_servers: 1 }),
      refusal('bad_request'),
      'The request could not be read.',
    ],
  ])('§8 a network that %s is not shown under the name of the previous one', async (_case, found, selected, text) => {
    const { router } = open('/about', {
      'GET /server/getsession': session({ is_admin: true }),
      'GET /server/sso/owner/northlab': answer('admin'),
      'GET /server/sso/servers/search/ana%40northlab.org/southlab/0': found,
      ...('status' in selected && { 'PUT /server/set_selected/1': selected }),
    });
    expect(await screen.findByRole('button', { name: 'Network northlab' })).toBeDefined();
    await within(await menu()).findByRole('link', { name: 'Sites' });
    await router.navigate('/sso-servers/southlab/sites');
    expect(await screen.findByRole('button', { name: 'Network No network' })).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Network northlab' })).toBeNull();
    expect(within(await menu()).queryByRole('link', { name: 'Sites' })).toBeNull();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Default Server' }).disabled).toBe(true);
    expect(await screen.findByText(text)).toBeDefined();
    await router.navigate('/about');
    expect(await screen.findByRole('button', { name: 'Network northlab' })).toBeDefined();
  });

  test("§2.1 the embedded pages show 'Report'", async () => {
    open('/lims/designer');
    expect(await screen.findByRole('button', { name: 'Network Report' })).toBeDefined();
  });
});

describe('shell: command palette', () => {
  test('Ctrl-K opens a screen', async () => {
    const { router } = open('/about');
    await menu();
    await userEvent.keyboard('{Control>}k{/Control}');
    await userEvent.type(await screen.findByRole('combobox', { name: 'Go to anything' }), 'open');
    await screen.findByRole('option', { name: 'OpenSocial Networks' });
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(router.state.location.pathname).toBe('/sso-servers'));
  });

  test('Escape closes it and returns the focus', async () => {
    open('/about');
    const opener = await screen.findByRole('button', { name: /Go to anything/ });
    await userEvent.click(opener);
    await screen.findByRole('option', { name: /southlab/ });
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(document.activeElement).toBe(opener);
  });

  test('a search without a match shows a text', async () => {
    open('/about', {
      'GET /server/sso/servers/search/ana%40northlab.org/zzz/0': answer({ data: [], all_servers: 0 }),
    });
    await userEvent.click(await screen.findByRole('button', { name: /Go to anything/ }));
    await userEvent.type(await screen.findByRole('combobox'), 'zzz');
    expect(await screen.findByText('No results for “zzz”')).toBeDefined();
  });
});

describe('§2.13 the reference number of an error page in Go to anything', () => {
  const page = {
    reference: '12345-67890',
    at: '2026-11-18T10:00:00.000Z',
    title: 'This application is not registered',
    message: 'Ask its administrator to register it.',
    site: null,
    person: null,
    line: null,
  };
  const search = async (found: typeof page | null, role = 'admin') => {
    const nothing = (rows: string, total: string) => answer({ [rows]: [], [total]: 0, network_mode: 'All' });
    const opened = open('/about', {
      'GET /server/getsession': session(south),
      'GET /server/sso/owner/southlab': answer(role),
      'GET /server/sso/servers/search/ana%40northlab.org/1234567890/0': answer({ data: [], all_servers: 0 }),
      'GET /server/sso/users/8/search/1234567890/0/southlab': nothing('users', 'all_users'),
      'GET /server/sso/sites/8/search/1234567890/0/southlab': nothing('sites', 'all_sites'),
      'GET /server/sso/groups/8/search/1234567890/0/southlab': nothing('groups', 'all_groups'),
      'GET /server/sso/error_reference/southlab/12345-67890': answer({ page: found }),
    });
    await userEvent.click(await screen.findByRole('button', { name: /Go to anything/ }));
    await userEvent.type(await screen.findByRole('combobox'), '1234567890');
    return opened;
  };

  test('leads to the attempt', async () => {
    const { router } = await search(page);
    await userEvent.click(await screen.findByRole('option', { name: /This application is not registered/ }));
    await waitFor(() => expect(router.state.location.search).toBe('?search=12345-67890'));
    expect(router.state.location.pathname).toBe('/activity');
  });

  test('that is not found says what to check', async () => {
    await search(null);
    expect(
      await screen.findByText(/^No error page of southlab has this reference number\. Check the digits\./),
    ).toBeDefined();
  });

  test('is not looked up for an ordinary user', async () => {
    const { asked } = await search(page, 'user');
    expect(await screen.findByText('No results for “1234567890”')).toBeDefined();
    expect(asked.filter(({ path }) => path.includes('error_reference'))).toEqual([]);
  });
});

describe('shell: navigation for a screen reader', () => {
  test('a navigation sets the title, focuses the heading and announces the screen', async () => {
    open('/about');
    await userEvent.click(within(await menu()).getByRole('link', { name: 'OpenSocial Networks' }));
    const heading = await screen.findByRole('heading', { name: 'Networks' });
    await waitFor(() => expect(document.activeElement).toBe(heading));
    expect(document.title).toBe('Networks · OpenSocial');
    expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toContain('Networks');
  });
});

describe('owners without a second factor', () => {
  const notice = () => screen.findByRole('complementary', { name: 'Second factor' });

  test('see the due date, with a link to the profile', async () => {
    const mfa_due = new Date(Date.now() + 3 * 86_400_000).toISOString();
    open('/sso-servers', { 'GET /server/getsession': session({ mfa_due }) });
    expect((await notice()).textContent).toMatch(
      /^Owners need a second factor\. Set one up by \w{3}, \w{3} \d{1,2}, \d{4}, \d/,
    );
    expect(screen.getByRole('link', { name: 'Set up a second factor' }).getAttribute('href')).toBe('/profile');
  });

  test('see that the due date has passed', async () => {
    const mfa_due = new Date(Date.now() - 1_000).toISOString();
    open('/sso-servers', { 'GET /server/getsession': session({ mfa_due }) });
    expect((await notice()).textContent).toContain('You will be asked for it at your next sign-in.');
  });

  test('nobody else sees the notice', async () => {
    open('/sso-servers');
    await menu();
    expect(screen.queryByRole('complementary', { name: 'Second factor' })).toBeNull();
  });
});

describe('§2.2 shell: network switcher', () => {
  const many = Array.from({ length: 60 }, (_, index) => network({ id: index + 7, url: `lab-${index + 10}` }));
  const openSwitcher = async () => {
    await userEvent.click(await screen.findByRole('button', { name: /^Network/ }));
    return screen.findByRole('dialog', { name: 'Switch to a different network' });
  };

  test('says that there are more networks than it shows, until the search narrows them', async () => {
    open('/', {
      'GET /server/sso/servers/ana%40northlab.org/0': answer({ data: many, all_servers: 60 }),
      'GET /server/sso/servers/search/ana%40northlab.org/lab-1/0': answer({ data: many.slice(0, 10), all_servers: 10 }),
    });
    const switcher = await openSwitcher();
    expect(await within(switcher).findByText('Showing the first 50. Type to narrow the list.')).toBeDefined();
    expect(within(switcher).getAllByRole('option')).toHaveLength(50);
    await userEvent.type(within(switcher).getByRole('combobox'), 'lab-1');
    await waitFor(() => expect(within(switcher).getAllByRole('option')).toHaveLength(10));
    expect(within(switcher).queryByText(/^Showing the first/)).toBeNull();
  });
});
