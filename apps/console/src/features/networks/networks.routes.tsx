import type { RouteObject } from 'react-router';
import type { PageRoute } from '../../patterns/page/page-route.ts';
import { networkPanelPath, networksPath } from './networks.links.ts';

const belongs = { screen: 'networks', menu: 'OpenSocial Networks' };

const listRoute = {
  id: 'Servers',
  path: networksPath,
  element: null,
  handle: { title: 'Networks', ...belongs },
} satisfies PageRoute;

const panelRoute = {
  id: 'Server',
  path: networkPanelPath,
  lazy: { Component: async () => (await import('./network-panel.tsx')).NetworkPanel },
  handle: { title: ({ name }) => `${name} · Networks`, ...belongs },
} satisfies PageRoute;

/** The networks list, and above it the panel of a network. */
export const networksRoute: RouteObject = {
  lazy: { Component: async () => (await import('./networks-list.tsx')).NetworksList },
  children: [listRoute, panelRoute],
};
