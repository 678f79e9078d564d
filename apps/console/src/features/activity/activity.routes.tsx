import type { RouteObject } from 'react-router';

/** A tab of a site's panel. */
export const siteActivityRoute: RouteObject = {
  path: 'activity',
  lazy: { Component: async () => (await import('./site-activity-tab.tsx')).SiteActivityTab },
};
