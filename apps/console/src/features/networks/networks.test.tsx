import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { type UserEvent, userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ShellActionsContext } from '../../patterns/shell-actions/shell-actions.ts';
import { network, sessionUser } from '../../testing/builders.ts';
import { stubLayout } from '../../testing/layout.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { answer, refusal, stubServer } from '../../testing/stub-server.ts';
import { networksRoute } from './networks.routes.tsx';

beforeEach(() => stubLayout());

const session = (changes = {}) => answer({ user: sessionUser(changes), csrf: 'proof' });
const listed = 'GET /server/sso/servers/ana%40northlab.org/0';
const labs = [
  network({ id: 7, url: 'northlab', role: 'admin' }),
  network({ id: 8, url: 'southlab', sso_id: 'sso-southlab' }),
];
const details = {
  ...network({ id: 8, url: 'southlab' }),
  mode: 'Visited',
  sites: 12,
  users: 2043,
  groups: 18,
  owners: 3,
  entity_id: 'https://sso.example.org/saml/southlab/metadata',
  sso_url: 'https://sso.example.org/saml/southlab/sso',
  slo_url: 'https://sso.example.org/saml/southlab/slo',
  certificate: '-----BEGIN CERTIFICATE-----',
};

const show = (answers: Parameters<typeof stubServer>[0] = {}, address = '/sso-servers') => {
  const asked = stubServer({
    'GET /server/getsession': session(),
    'GET /server/sso/owner/opensocial': answer('user'),
    'GET /server/sso/server/southlab/8': answer(details),
    [listed]: answer({ data: labs, all_servers: 2 }),
    ...answers,
  });
  const route = { children: [networksRoute, { path: '/sso-servers/:server', element: 'a desktop' }] };
  return { asked, router: renderScreen(route, address).router };
};
const row = (name: string) => screen.findByRole('row', { name: new RegExp(name) });

describe('§2.4 networks list', () => {
  test('shows the columns, the status as text, a check mark at the default network, and the count', async () => {
    show();
    const north = await row('northlab');
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      'Status',
      'Server Name',
      'Your Default SSO Server',
      'Actions',
    ]);
    expect(screen.getByText('2 of 2 servers')).toBeDefined();
    expect(within(north).getByText('You are an owner')).toBeDefined();
    expect(within(north).getByText('Your default server')).toBeDefined();
    const south = await row('southlab');
    expect(within(south).getByText('You are a member')).toBeDefined();
    expect(within(south).queryByText('Your default server')).toBeNull();
  });

  test('a name opens the desktop of that network', async () => {
    const { router } = show();
    await userEvent.click(await screen.findByRole('link', { name: 'southlab' }));
    expect(router.state.location.pathname).toBe('/sso-servers/southlab');
  });

  test('the lock asks for confirmation and makes that network the default and the selected one', async () => {
    const south = { default_server: 'southlab', server_id: 8, selected_server: 'southlab', selected_id: 8 };
    const { asked } = show({ 'PUT /server/set_default/1': session(south) });
    await userEvent.click(within(await row('southlab')).getByRole('button', { name: 'Set southlab as default' }));
    expect(await screen.findByText('Confirm setting default server')).toBeDefined();
    expect(screen.getByText('Do you want to set this as default server?')).toBeDefined();
    expect(asked.some(({ path }) => path.includes('set_default'))).toBe(false);
    await userEvent.click(screen.getByRole('button', { name: 'Set as default' }));
    await waitFor(async () => expect(within(await row('southlab')).getByText('Your default server')).toBeDefined());
    expect(asked.find(({ path }) => path.includes('set_default'))?.body).toEqual(south);
    expect(screen.queryByText('Confirm setting default server')).toBeNull();
  });

  test('a cancelled dialog returns the focus to its opener', async () => {
    show();
    const lock = await screen.findByRole('button', { name: 'Set southlab as default' });
    await userEvent.click(lock);
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(document.activeElement).toBe(lock));
  });

  test('a failure to set the default shows a toast, and the modal stays open', async () => {
    show({ 'PUT /server/set_default/1': refusal('unavailable') });
    await userEvent.click(within(await row('southlab')).getByRole('button', { name: 'Set southlab as default' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Set as default' }));
    expect(await screen.findByText(/^The service is not available/)).toBeDefined();
    expect(screen.getByText('Confirm setting default server')).toBeDefined();
  });

  test('a user without networks sees the empty text', async () => {
    show({ [listed]: answer({ data: [], all_servers: 0 }) });
    expect(await screen.findByText('There is no record in database')).toBeDefined();
  });

  test("§8 'auth_required' sends the user to logout", async () => {
    const leave = vi.spyOn(window.location, 'replace').mockImplementation(() => {});
    show({ [listed]: refusal('auth_required') });
    await waitFor(() => expect(leave).toHaveBeenCalledWith('/server/saml/logout'));
  });

  test('§8 other errors show the error panel and a toast', async () => {
    show({ [listed]: refusal('internal') });
    expect(await screen.findByText(/^Something went wrong with the SSO Server/)).toBeDefined();
    expect(await screen.findByText('Something went wrong on our side.')).toBeDefined();
  });

  test("'Switch to a different network' opens the switcher", async () => {
    const switchNetwork = vi.fn();
    stubServer({ 'GET /server/getsession': session(), [listed]: answer({ data: labs, all_servers: 2 }) });
    const { NetworksList } = await import('./networks-list.tsx');
    const screenWithShell = (
      <ShellActionsContext value={{ switchNetwork }}>
        <NetworksList />
      </ShellActionsContext>
    );
    renderScreen({ path: '/sso-servers', element: screenWithShell }, '/sso-servers');
    await userEvent.click(await screen.findByRole('button', { name: 'Switch to a different network' }));
    expect(switchNetwork).toHaveBeenCalledOnce();
  });
});

describe('§7 new network', () => {
  const open = async (answers: Parameters<typeof stubServer>[0] = {}) => {
    const view = show({ 'GET /server/sso/owner/opensocial': answer('admin'), ...answers });
    await userEvent.click(await screen.findByRole('button', { name: 'New network' }));
    await screen.findByRole('dialog', { name: 'New network' });
    return view;
  };
  const submit = async (name: string, owner: string) => {
    if (name) await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), name);
    if (owner) await userEvent.type(screen.getByRole('textbox', { name: 'Owner email' }), owner);
    await userEvent.click(screen.getByRole('button', { name: 'Create network' }));
  };

  test('only owners of the main network see the button', async () => {
    show();
    await row('northlab');
    expect(screen.queryByRole('button', { name: 'New network' })).toBeNull();
  });

  test.each([
    ['', '', ['This filed is required', 'This field is required']],
    [
      'North Lab',
      'nobody',
      ['Enter 2 to 63 lower-case letters, digits and hyphens', 'This field must be a valid email'],
    ],
    ['search', 'a@b.org', ['This name is reserved; choose another']],
  ])('§5 the name %j and the owner %j are refused inline', async (name, owner, faults) => {
    const { asked } = await open();
    await submit(name, owner);
    for (const fault of faults) expect(screen.getByText(fault)).toBeDefined();
    expect(asked.some(({ path }) => path.endsWith('/new'))).toBe(false);
  });

  test('is created, the list is reloaded and the modal closes', async () => {
    const made = network({ id: 9, url: 'westlab' });
    const { asked } = await open({ 'POST /server/sso/servers/new': answer(made) });
    await submit('westlab', 'head@westlab.org');
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'New network' })).toBeNull());
    expect(asked.find(({ path }) => path.endsWith('/new'))?.body).toEqual({
      name: 'westlab',
      owner: 'head@westlab.org',
    });
    expect(asked.filter(({ path }) => path.endsWith('/ana%40northlab.org/0'))).toHaveLength(2);
    expect(await screen.findByText('Network westlab created, invitation sent')).toBeDefined();
  });

  test('an error replaces the hint, and only after the form is submitted', async () => {
    await open();
    const name = screen.getByRole('textbox', { name: 'Name' });
    await userEvent.type(name, 'North Lab');
    await userEvent.tab();
    expect(screen.getByText(/The name cannot be changed later/)).toBeDefined();
    await submit('', 'a@b.org');
    expect(screen.queryByText(/The name cannot be changed later/)).toBeNull();
    expect(name.getAttribute('aria-invalid')).toBe('true');
  });

  test('an existing name shows an error at the field, and the input is kept', async () => {
    await open({ 'POST /server/sso/servers/new': refusal('network_exists') });
    await submit('southlab', 'a@b.org');
    expect(await screen.findByText('A network of this name already exists.')).toBeDefined();
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('southlab');
  });
});

describe('§2.4 the link of an invitation', () => {
  const invitation = { link: 'https://sso.example.org/set-password?token=t', expires: '2026-11-20T08:00:00.000Z' };
  const create = async () => {
    const user = userEvent.setup();
    show({
      'GET /server/sso/owner/opensocial': answer('admin'),
      'POST /server/sso/servers/new': answer({ ...network({ id: 9, url: 'westlab' }), invitation }),
    });
    await user.click(await screen.findByRole('button', { name: 'New network' }));
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'westlab');
    await user.type(screen.getByRole('textbox', { name: 'Owner email' }), 'head@westlab.org');
    await user.click(screen.getByRole('button', { name: 'Create network' }));
    return { user, dialog: await screen.findByRole('dialog', { name: 'Invitation link for head@westlab.org' }) };
  };
  const question = () => screen.queryByText('Close without copying the link?');

  test.each([
    ['Done', (user: UserEvent) => user.click(screen.getByRole('button', { name: 'Done' }))],
    [
      'the close button',
      (user: UserEvent, dialog: HTMLElement) => user.click(dialog.querySelector('header button') ?? dialog),
    ],
    ['Escape', (user: UserEvent) => user.keyboard('{Escape}')],
  ])('is not lost by %s before it is copied', async (_way, close) => {
    const { user, dialog } = await create();
    await close(user, dialog);
    await waitFor(() => expect(question()).not.toBeNull());
    await user.click(screen.getByRole('button', { name: 'Back to the link' }));
    await waitFor(() => expect(question()).toBeNull());
    expect(within(dialog).getByText(invitation.link)).toBeDefined();
    await close(user, dialog);
    await user.click(await screen.findByRole('button', { name: 'Close without copying' }));
    await waitFor(() => expect(screen.queryByText(invitation.link)).toBeNull());
  });

  test.each([
    ['with the button', (user: UserEvent) => user.click(screen.getByRole('button', { name: 'Copy Invitation link' }))],
    ['as selected text', async () => void fireEvent.copy(screen.getByText(invitation.link))],
  ])('may be closed after it was copied %s', async (_way, copy) => {
    const { user } = await create();
    await copy(user);
    await user.click(screen.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(screen.queryByText(invitation.link)).toBeNull());
    expect(question()).toBeNull();
  });

  test('is not lost by closing the tab before it is copied', async () => {
    const { user } = await create();
    const isAsked = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    expect(isAsked()).toBe(true);
    await user.click(screen.getByRole('button', { name: 'Copy Invitation link' }));
    await waitFor(() => expect(isAsked()).toBe(false));
  });
});

describe('§2.4 invited owners in the network panel', () => {
  const listed8 = 'GET /server/sso/invited_owners/southlab/8';
  const again = 'POST /server/sso/owner/invite/southlab';
  const showPanel = (owners: object[], answers: Parameters<typeof stubServer>[0] = {}) =>
    show(
      { 'GET /server/sso/owner/opensocial': answer('admin'), [listed8]: answer(owners), ...answers },
      '/opensocial/server/southlab/8/details',
    );

  test('get a new link without a mail server, after a question', async () => {
    const invitation = { link: 'https://sso.example.org/set-password?token=n', expires: '2026-11-20T08:00:00.000Z' };
    const { asked } = showPanel([{ id: 5, owner: 'head@southlab.org', invite: 'link' }], {
      [again]: answer({ message: 'The link was created.', invitation }),
    });
    await userEvent.click(await screen.findByRole('button', { name: 'New invitation link for head@southlab.org' }));
    expect(await screen.findByText(/earlier links stop working/)).toBeDefined();
    expect(asked.some(({ path }) => path.endsWith('/invite/southlab'))).toBe(false);
    await userEvent.click(screen.getByRole('button', { name: 'Create invitation link' }));
    expect(await screen.findByText(invitation.link)).toBeDefined();
    expect(asked.find(({ path }) => path.endsWith('/invite/southlab'))?.body).toEqual({ owner_id: 5 });
  });

  test('get another mail where there is a mail server', async () => {
    showPanel([{ id: 5, owner: 'head@southlab.org', invite: 'mail' }], {
      [again]: answer({ message: 'The invitation was sent.' }),
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Invite again for head@southlab.org' }));
    expect(await screen.findByText('The invitation was sent.')).toBeDefined();
  });

  test('who have an account get no link', async () => {
    showPanel([{ id: 5, owner: 'head@southlab.org', invite: 'account' }]);
    expect(await screen.findByText('Has an account, and finds the invitation on the profile.')).toBeDefined();
    expect(screen.queryByRole('button', { name: /head@southlab.org/ })).toBeNull();
  });

  test('are not asked for by somebody who does not own the main network', async () => {
    const { asked } = showPanel([], { 'GET /server/sso/owner/opensocial': answer('user') });
    await screen.findByText(details.entity_id);
    expect(asked.some(({ path }) => path.includes('invited_owners'))).toBe(false);
  });
});

describe('§2.1 network panel', () => {
  const address = '/opensocial/server/southlab/8/details';

  test('shows role, mode, counts and identity over the list', async () => {
    show({}, address);
    const panel = await screen.findByRole('dialog', { name: 'southlab' });
    for (const text of ['12', '2,043', '18', '3', 'You are a member', 'Visited', details.entity_id, details.slo_url]) {
      expect(await within(panel).findByText(text)).toBeDefined();
    }
    expect(within(panel).getByRole('link', { name: 'Open desktop' }).getAttribute('href')).toBe(
      '/sso-servers/southlab',
    );
  });

  test('a button copies an address', async () => {
    const user = userEvent.setup();
    show({}, address);
    await user.click(await screen.findByRole('button', { name: 'Copy Entity ID' }));
    expect(await navigator.clipboard.readText()).toBe(details.entity_id);
  });

  test('the details arrow opens it, and closing returns to the list and focuses the row', async () => {
    const { router } = show(
      { 'GET /server/sso/servers/search/ana%40northlab.org/lab/0': answer({ data: labs, all_servers: 2 }) },
      '/sso-servers?search=lab',
    );
    await userEvent.click(await screen.findByRole('link', { name: 'Details of southlab' }));
    expect(router.state.location).toMatchObject({ pathname: address, search: '?search=lab' });
    await screen.findByText(details.entity_id);
    await userEvent.keyboard('{Escape}');
    await waitFor(() =>
      expect(router.state.location).toMatchObject({ pathname: '/sso-servers', search: '?search=lab' }),
    );
    await waitFor(async () => expect(document.activeElement).toBe(await row('southlab')));
  });

  test('a network of others is not shown', async () => {
    show({}, '/opensocial/server/nowhere/99/details');
    expect(await screen.findByText("You don't have permission to access this server.")).toBeDefined();
    expect(screen.getByText('Please ask your server admin to give you the permission')).toBeDefined();
  });

  test('an address without an id shows no network', async () => {
    show({ 'GET /server/sso/server/southlab/NaN': refusal('bad_request') }, '/opensocial/server/southlab/x/details');
    expect(await screen.findByText("You don't have permission to access this server.")).toBeDefined();
  });

  test("while it is open, '/' does not focus the search of the list below", async () => {
    show({}, address);
    await screen.findByText(details.entity_id);
    await userEvent.keyboard('/');
    expect(screen.getByRole('dialog', { name: 'southlab' }).contains(document.activeElement)).toBe(true);
  });

  test('a failed load shows the error panel', async () => {
    show({ 'GET /server/sso/server/southlab/8': refusal('internal') }, address);
    expect(await screen.findByText(/^Something went wrong with the SSO Server/)).toBeDefined();
  });
});
