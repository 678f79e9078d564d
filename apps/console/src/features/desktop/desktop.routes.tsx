import { networkDesktopPath } from '../../api/links/network-links.ts';
import { openHome, openNetwork } from '../../api/session/open-network.ts';
import type { PageRoute } from '../../patterns/page/page-route.ts';
import { homePath } from './desktop.links.ts';

const menu = 'Desktop';
const loadDesktop = async () => (await import('./network-desktop.tsx')).NetworkDesktop;

export const homeRoute = {
  id: 'Home',
  path: homePath,
  loader: openHome,
  lazy: { Component: loadDesktop },
  handle: { title: 'Desktop', menu },
} satisfies PageRoute;

/** §2.1: matches with and without a trailing slash. */
export const networkDesktopRoute = {
  id: 'Desktop',
  path: networkDesktopPath,
  loader: ({ params }) => openNetwork(params['server'] ?? ''),
  lazy: { Component: loadDesktop },
  handle: { title: ({ server }) => `${server} · Desktop`, menu },
} satisfies PageRoute;
