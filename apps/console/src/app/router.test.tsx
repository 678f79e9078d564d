import { isConsolePath } from '@opensocial/contract';
import { generatePath, type RouteObject } from 'react-router';
import { describe, expect, test } from 'vitest';
import { routes } from './router.tsx';

type Row = { name: string | undefined; path: string; guards: string[] };

const guardNames = new Set(['is_loggedin', 'checkadmin']);

/** Every route with a path, its name and the guards around it. */
const rowsOf = (route: RouteObject, parent = '', around: string[] = []): Row[] => {
  const isGuard = route.id !== undefined && guardNames.has(route.id);
  const guards = isGuard ? [...around, route.id ?? ''] : around;
  const path = route.path?.startsWith('/') ? route.path : [parent, route.path].filter(Boolean).join('/');
  const below = (route.children ?? []).flatMap((child) => rowsOf(child, path, guards));
  return route.path === undefined || isGuard ? below : [{ name: route.id, path, guards }, ...below];
};

const rows = routes.flatMap((route) => rowsOf(route));

test('§2.1 route table: every screen has the name, path and guards of the specification', () => {
  const named = rows.flatMap(({ name, path, guards }) => (name ? [[name, path, guards.join(' ')]] : []));
  const admin = 'is_loggedin checkadmin';
  const network = '/sso-servers/:server';
  expect(named).toEqual([
    ['SetPassword', '/set-password', ''],
    ['Home', '/', 'is_loggedin'],
    ['Desktop', network, 'is_loggedin'],
    ['Servers', '/sso-servers', 'is_loggedin'],
    ['Server', '/opensocial/server/:name/:id/details', 'is_loggedin'],
    ['Activity', '/activity', 'is_loggedin'],
    ['ActivityLine', '/activity/:line_id/details', 'is_loggedin'],
    ['Changes', '/activity/changes', 'is_loggedin'],
    ['Change', '/activity/changes/:record_id/details', 'is_loggedin'],
    ['Profile', '/profile', 'is_loggedin'],
    ['Overview', `${network}/overview`, admin],
    ['Sites', `${network}/sites`, admin],
    ['Site', `${network}/sites/:site_name/:site_id`, admin],
    ['Connect', `${network}/connect`, admin],
    ['Users', `${network}/users`, admin],
    ['NewUser', `${network}/users/new`, admin],
    ['User', `${network}/users/:user_id`, admin],
    ['DesktopOfUser', `${network}/users/:user_id/desktop`, admin],
    ['Groups', `${network}/groups`, admin],
    ['Group', `${network}/groups/:group_name?/:group_id`, admin],
    ['DesktopConfig', `${network}/desktop`, admin],
    ['UpdateSite', `${network}/desktop/:site_id/details`, admin],
    ['ServerAdmins', `${network}/admins`, admin],
    ['ServerSettings', `${network}/settings`, admin],
    ['EmailTemplates', `${network}/email-templates`, admin],
    ['Trash', `${network}/trash`, admin],
    ['Report', '/:product/report', 'is_loggedin'],
    ['Designer', '/:product/designer', 'is_loggedin'],
    ['About', '/about', 'is_loggedin'],
    ['Help', '/help', 'is_loggedin'],
    ['SignedInAgain', '/signed-in-again', 'is_loggedin'],
    ['NotFound', '*', 'is_loggedin'],
  ]);
});

test('§2.1 route table: each side panel has its details tab', () => {
  const paths = new Set(rows.map(({ path }) => path));
  for (const panel of ['sites/:site_name/:site_id', 'users/:user_id', 'groups/:group_name?/:group_id'])
    expect(paths).toContain(`/sso-servers/:server/${panel}/details`);
});

const fill = (pattern: string): string => {
  const names = [...pattern.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  return generatePath(pattern, Object.fromEntries(names.map((name) => [name, 'Röntgen/2 & Co. 100%'])));
};

describe('sign-in returns to every screen', () => {
  const addresses = new Set(rows.map(({ path }) => path).filter((path) => !['*', '/set-password'].includes(path)));

  test('the route table has many screens', () => {
    expect(addresses.size).toBeGreaterThan(20);
  });

  test.for([...addresses])('%s', (pattern) => {
    const { pathname } = new URL(fill(pattern), 'http://localhost');
    expect(isConsolePath(pathname)).toBe(true);
    expect(isConsolePath(`${pathname.replace(/\/$/, '')}/`)).toBe(true);
  });
});
