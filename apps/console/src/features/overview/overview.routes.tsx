import type { PageRoute } from '../../patterns/page/page-route.ts';

export const overviewRoute = {
  id: 'Overview',
  path: 'overview',
  lazy: { Component: async () => (await import('./overview-page.tsx')).OverviewPage },
  handle: { title: ({ server }) => `Overview · ${server}`, menu: 'Overview' },
} satisfies PageRoute;
