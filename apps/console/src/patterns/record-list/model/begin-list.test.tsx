import { listNetworks, type Network } from '@opensocial/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { call } from '../../../api/transport/caller.ts';
import type { NetworkRef } from '../../../api/transport/network-ref.ts';
import { pagedQuery } from '../../../api/transport/paged-query.ts';
import { checkadmin } from '../../../app/guards.tsx';
import { network, sessionUser } from '../../../testing/builders.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { answer, stubServer } from '../../../testing/stub-server.ts';
import { beginList } from './begin-list.ts';
import type { Filter, ListView } from './list-description.ts';

const filters: readonly Filter[] = [{ kind: 'text', id: 'mode', label: 'mode' }];

/** The network, search, filter and sorting are part of the path, so that the stub server sees them. */
const query = ({ name }: NetworkRef, { search, filters: { mode = '' }, sort }: ListView) =>
  pagedQuery<Network>({
    queryKey: ['labs', name, search, mode, sort],
    page: async (lastid, signal) => {
      const username = [name, search, mode, sort && 'sorted'].filter(Boolean).join('+');
      const { data, all_servers } = await call(listNetworks, { params: { username, lastid } }, signal);
      return { rows: data, total: all_servers, isMinimum: false };
    },
  });

const user = sessionUser({ selected_server: 'southlab', selected_id: 5, default_server: 'northlab', server_id: 1 });

/** Opens a list whose screen is shown only when `show` is called. */
const open = (search: string, role = 'admin') => {
  const asked = stubServer({
    'GET /server/getsession': answer({ user, csrf: '' }),
    [`PUT /server/set_selected/${user.id}`]: answer({
      user: { ...user, selected_server: 'northlab', selected_id: 1 },
      csrf: '',
    }),
    'GET /server/sso/owner/northlab': answer(role),
    'GET /server/sso/servers/northlab/0': answer({ data: [network({ url: 'lab-1' })], all_servers: 1 }),
  });
  let show = () => {};
  const shown = new Promise<void>((resolve) => {
    show = resolve;
  });
  function Screen() {
    const begun = query({ id: 1, name: 'northlab' }, { search: '', filters: {}, sort: undefined });
    // Like the client of the product, which treats rows that have just arrived as current.
    const rows = useInfiniteQuery({ ...begun, staleTime: 30_000 });
    return rows.data?.pages[0]?.rows[0]?.url ?? 'no rows';
  }
  const list = {
    path: 'list',
    lazy: {
      loader: async () => beginList(query, filters),
      Component: async () => {
        await shown;
        return Screen;
      },
    },
  };
  renderScreen(checkadmin([list]), `/sso-servers/northlab/list${search}`);
  const askedFor = (part: string) => asked.filter(({ path }) => path.includes(part)).map(({ path }) => path);
  return { askedFor, show };
};

test('requests the rows once, before the screen is rendered, and selects the network once', async () => {
  const { askedFor, show } = open('');
  await waitFor(() => expect(askedFor('/servers/')).toHaveLength(1));
  show();
  expect(await screen.findByText('lab-1')).toBeDefined();
  expect(askedFor('/servers/')).toHaveLength(1);
  expect(askedFor('/set_selected')).toHaveLength(1);
  expect(askedFor('/owner/')).toHaveLength(1);
});

test('requests the rows of the search and the filters in the address', async () => {
  const { askedFor } = open('?search=eva&mode=Open');
  await waitFor(() => expect(askedFor('/servers/')).toEqual(['/server/sso/servers/northlab%2Beva%2BOpen/0']));
});

test('leaves a sorted list to the screen, which knows the shown columns', async () => {
  const { askedFor, show } = open('?sort=name');
  await waitFor(() => expect(askedFor('/owner/')).toHaveLength(1));
  show();
  expect(await screen.findByText('lab-1')).toBeDefined();
  expect(askedFor('/servers/')).toHaveLength(1);
});

test('requests nothing for a user who does not administer the network', async () => {
  const { askedFor, show } = open('', 'user');
  show();
  expect(await screen.findByText("You don't have permission to access this server.")).toBeDefined();
  expect(askedFor('/servers/')).toHaveLength(0);
});
