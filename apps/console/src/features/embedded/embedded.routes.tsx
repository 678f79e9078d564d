import type { PageRoute } from '../../patterns/page/page-route.ts';
import { designerPath, reportPath } from './embedded.links.ts';

/** §2.1: both routes show 'Report' as the selected server. */
const network = 'Report';

export const reportRoute = {
  id: 'Report',
  path: reportPath,
  lazy: { Component: async () => (await import('./embedded-page.tsx')).Report },
  handle: { title: 'Report', network },
} satisfies PageRoute;

export const designerRoute = {
  id: 'Designer',
  path: designerPath,
  lazy: { Component: async () => (await import('./embedded-page.tsx')).Designer },
  handle: { title: 'Designer', network },
} satisfies PageRoute;
