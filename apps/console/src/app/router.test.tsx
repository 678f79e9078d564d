import { isConsoleScreen } from '@opensocial/contract';
import { generatePath, type RouteObject } from 'react-router';
import { describe, expect, test } from 'vitest';
import { routes } from './router.tsx';

/** Every address of the route table, with its parameters filled in. */
const addressesOf = (route: RouteObject, parent = ''): string[] => {
  const path = route.path?.startsWith('/') ? route.path : [parent, route.path].filter(Boolean).join('/');
  const below = (route.children ?? []).flatMap((child) => addressesOf(child, path));
  return route.path === undefined || route.path === '*' ? below : [path, ...below];
};

const fill = (pattern: string): string => {
  const names = [...pattern.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  return generatePath(pattern, Object.fromEntries(names.map((name) => [name, 'Röntgen/2 & Co. 100%'])));
};

describe('signing in leads back to every screen', () => {
  const addresses = new Set(routes.flatMap((route) => addressesOf(route)).filter((path) => path !== '/set-password'));

  test('of which there are many', () => {
    expect(addresses.size).toBeGreaterThan(20);
  });

  test.for([...addresses])('%s', (pattern) => {
    const { pathname } = new URL(fill(pattern), 'http://localhost');
    expect(isConsoleScreen(pathname)).toBe(true);
    expect(isConsoleScreen(`${pathname.replace(/\/$/, '')}/`)).toBe(true);
  });
});
