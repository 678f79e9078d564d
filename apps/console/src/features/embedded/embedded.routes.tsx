import { generatePath } from 'react-router';
import type { PageRoute } from '../../patterns/page/page-route.ts';

/** §2.1: both show Report as the selected server. */
const network = 'Report';

export const reportRoute = {
  id: 'Report',
  path: '/:product/report',
  lazy: { Component: async () => (await import('./embedded-page.tsx')).Report },
  handle: { title: 'Report', network },
} satisfies PageRoute;

export const designerRoute = {
  id: 'Designer',
  path: '/:product/designer',
  lazy: { Component: async () => (await import('./embedded-page.tsx')).Designer },
  handle: { title: 'Designer', network },
} satisfies PageRoute;

/** Any name stands for the product; ours is as good as another. */
const product = 'opensocial';

export const toReport = (): string => generatePath(reportRoute.path, { product });
export const toDesigner = (): string => generatePath(designerRoute.path, { product });
