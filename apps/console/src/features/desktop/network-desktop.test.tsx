import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { desktopApp, network, sessionUser } from '../../testing/builders.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { answer, refusal, stubServer } from '../../testing/stub-server.ts';
import { networkDesktopRoute } from './desktop.routes.tsx';

const session = (changes = {}) => answer({ user: sessionUser(changes), csrf: 'proof' });
const south = { selected_server: 'southlab', selected_id: 8, sso_id: 'sso-southlab' };
const search = (name: string, lastId = 0) => `GET /server/sso/servers/search/ana%40northlab.org/${name}/${lastId}`;

const open = (address: string, answers: Parameters<typeof stubServer>[0] = {}) => {
  const asked = stubServer({
    'GET /server/getsession': session(),
    [search('southlab')]: answer({ data: [network({ id: 5, url: 'a-southlab' })], all_servers: 2 }),
    [search('southlab', 5)]: answer({ data: [network({ id: 8, url: 'southlab' })], all_servers: 2 }),
    'PUT /server/set_selected/1': session(south),
    'GET /server/sso/owner/southlab': answer('user'),
    'GET /server/sso/owner/northlab': answer('user'),
    'GET /server/sso/user_desktop_apps/8/sso-southlab/8/southlab/uid-ana': answer([desktopApp({ name: 'South app' })]),
    'GET /server/sso/user_desktop_apps/7/sso-northlab/7/northlab/uid-ana': answer([desktopApp({ name: 'North app' })]),
    ...answers,
  });
  renderScreen({ ...networkDesktopRoute, HydrateFallback: () => null }, address);
  return asked;
};
const selections = (asked: ReturnType<typeof stubServer>) => asked.filter(({ path }) => path.includes('set_selected'));

test.each(['/sso-servers/southlab', '/sso-servers/southlab/'])(
  '§2.1 network desktop: %s selects and shows it',
  async (address) => {
    const asked = open(address);
    expect(await screen.findByRole('link', { name: 'South app' })).toBeDefined();
    expect(selections(asked).map(({ body }) => body)).toEqual([{ selected_server: 'southlab', selected_id: 8 }]);
  },
);

test('§4 network desktop: a selected network is not selected again', async () => {
  const asked = open('/sso-servers/northlab');
  expect(await screen.findByRole('link', { name: 'North app' })).toBeDefined();
  expect(selections(asked)).toEqual([]);
});

test.each([
  ['unknown', '/sso-servers/nowhere', { [search('nowhere')]: answer({ data: [], all_servers: 0 }) }],
  ['with an encoded slash and a space', '/sso-servers/a%2Fb%20c', {}],
  ['foreign by now', '/sso-servers/southlab', { 'PUT /server/set_selected/1': refusal('not_found') }],
])('§2.2 network desktop: a network that is %s shows the permission-denied view', async (_case, address, answers) => {
  open(address, answers);
  expect(await screen.findByText("You don't have permission to access this server.")).toBeDefined();
  expect(screen.getByText('Please ask your server admin to give you the permission')).toBeDefined();
});

test('§4 network desktop: the network stays selected', async () => {
  const asked = open('/sso-servers/southlab');
  await screen.findByRole('link', { name: 'South app' });
  await waitFor(() => expect(asked.at(-1)?.path).toContain('user_desktop_apps/8'));
});
