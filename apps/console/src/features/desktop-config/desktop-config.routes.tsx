import type { RouteObject } from 'react-router';
import type { PageRoute } from '../../patterns/page/page-route.ts';

const belongs = { screen: 'user-desktop', menu: 'Desktop Config' };

/** The two lists, and above them the panel of a tile. */
export const userDesktopRoute: RouteObject = {
  lazy: { Component: async () => (await import('./user-desktop.tsx')).UserDesktop },
  children: [
    {
      id: 'DesktopConfig',
      path: 'desktop',
      element: null,
      handle: { title: ({ server }) => `User Desktop · ${server}`, ...belongs },
    } satisfies PageRoute,
    {
      id: 'UpdateSite',
      path: 'desktop/:site_id/details',
      lazy: { Component: async () => (await import('./update-site-panel.tsx')).UpdateSitePanel },
      handle: { title: ({ server }) => `Update Site · ${server}`, ...belongs },
    } satisfies PageRoute,
  ],
};
