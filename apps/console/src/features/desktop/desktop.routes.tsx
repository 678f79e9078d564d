import { networkDesktopPath } from '../../api/networks.ts';
import { openNetwork } from '../../api/open-network.ts';
import type { PageRoute } from '../../patterns/page/page-route.ts';

const menu = 'Desktop';

export const homeRoute = {
  path: '/',
  lazy: { Component: async () => (await import('./home-desktop.tsx')).HomeDesktop },
  handle: { title: 'Desktop', menu },
} satisfies PageRoute;

/** SPEC 2.1: with and without a slash at its end. */
export const networkDesktopRoute = {
  path: networkDesktopPath,
  loader: ({ params }) => openNetwork(params['server'] ?? ''),
  lazy: { Component: async () => (await import('./network-desktop.tsx')).NetworkDesktop },
  handle: { title: ({ server }) => `${server} · Desktop`, menu },
} satisfies PageRoute;

export const toHome = (): string => homeRoute.path;
