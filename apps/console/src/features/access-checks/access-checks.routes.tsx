import type { RouteObject } from 'react-router';
import type { PageRoute } from '../../patterns/page/page-route.ts';
import { desktopOfUserPath } from './access-checks.links.ts';

/** The Access tab of the user panel, with the site that is chosen. */
export const userAccessRoute: RouteObject = {
  path: 'access/:checked_id?',
  lazy: { Component: async () => (await import('./user-access-tab.tsx')).UserAccessTab },
};

/** The Access tab of the site panel, with the person who is chosen. */
export const siteAccessRoute: RouteObject = {
  path: 'access/:checked_id?',
  lazy: { Component: async () => (await import('./site-access-tab.tsx')).SiteAccessTab },
};

/** The desktop as a user sees it. */
export const desktopOfUserRoute = {
  id: 'DesktopOfUser',
  path: desktopOfUserPath,
  lazy: { Component: async () => (await import('./desktop-of-user.tsx')).DesktopOfUser },
  handle: { title: ({ server }) => `Desktop of a user · ${server}`, menu: 'Users' },
} satisfies PageRoute;
