import type { RouteObject } from 'react-router';

/** Tabs of a site's panel. */
export const siteGroupsRoutes: RouteObject[] = [
  { path: 'groups', lazy: { Component: async () => (await import('./site-groups-tab.tsx')).SiteGroupsTab } },
  {
    path: 'groups/assign',
    lazy: { Component: async () => (await import('./assign-site-groups.tsx')).AssignSiteGroups },
  },
];
