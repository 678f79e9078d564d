import type { RouteObject } from 'react-router';

/** A tab of a site's panel. */
export const siteUsersRoute: RouteObject = {
  path: 'users',
  lazy: { Component: async () => (await import('./site-users-tab.tsx')).SiteUsersTab },
};
