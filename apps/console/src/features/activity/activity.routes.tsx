import type { RouteObject } from 'react-router';

/** A tab of a site's panel. */
export const siteActivityRoute: RouteObject = {
  path: 'activity',
  lazy: { Component: async () => (await import('./site-activity-tab.tsx')).SiteActivityTab },
};

/** A tab of a user's panel. */
export const userActivityRoute: RouteObject = {
  path: 'activity',
  lazy: { Component: async () => (await import('./user-activity-tab.tsx')).UserActivityTab },
};
