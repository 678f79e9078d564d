import { networkDesktopPath } from '../../api/networks.ts';
import { openHome, openNetwork } from '../../api/open-network.ts';
import type { PageRoute } from '../../patterns/page/page-route.ts';

const menu = 'Desktop';
const loadDesktop = async () => (await import('./network-desktop.tsx')).NetworkDesktop;

export const homeRoute = {
  path: '/',
  loader: openHome,
  lazy: { Component: loadDesktop },
  handle: { title: 'Desktop', menu },
} satisfies PageRoute;

/** SPEC 2.1: with and without a slash at its end. */
export const networkDesktopRoute = {
  path: networkDesktopPath,
  loader: ({ params }) => openNetwork(params['server'] ?? ''),
  lazy: { Component: loadDesktop },
  handle: { title: ({ server }) => `${server} · Desktop`, menu },
} satisfies PageRoute;

export const toHome = (): string => homeRoute.path;
