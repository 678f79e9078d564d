import type { RouteObject } from 'react-router';

/** Tabs of a site's panel. */
export const siteGroupsRoutes: RouteObject[] = [
  { path: 'groups', lazy: { Component: async () => (await import('./site-groups-tab.tsx')).SiteGroupsTab } },
  {
    path: 'groups/assign',
    lazy: { Component: async () => (await import('./assign-site-groups.tsx')).AssignSiteGroups },
  },
];

/** Tabs of a user's panel. */
export const userGroupsRoutes: RouteObject[] = [
  { path: 'groups', lazy: { Component: async () => (await import('./user-groups-tab.tsx')).UserGroupsTab } },
  {
    path: 'groups/assign',
    lazy: { Component: async () => (await import('./assign-user-groups.tsx')).AssignUserGroups },
  },
];
