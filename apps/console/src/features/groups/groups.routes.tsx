import { Navigate, type RouteObject } from 'react-router';
import type { PageRoute } from '../../patterns/page/page-route.ts';

const belongs = { screen: 'groups', menu: 'Groups' };

const listRoute = {
  id: 'Groups',
  path: 'groups',
  element: null,
  handle: { title: ({ server }) => `Groups · ${server}`, ...belongs },
} satisfies PageRoute;

/** §2.1: the panel has two addresses, with and without the group's name. */
const panelRoute = {
  id: 'Group',
  path: 'groups/:group_name?/:group_id',
  lazy: { Component: async () => (await import('./group-panel.tsx')).GroupPanel },
  handle: { title: ({ group_name, server }) => `${group_name ?? 'Group'} · Groups · ${server}`, ...belongs },
  children: [
    { index: true, element: <Navigate to="details" replace /> },
    { path: 'details', lazy: { Component: async () => (await import('./group-details-tab.tsx')).GroupDetailsTab } },
    { path: 'sites', lazy: { Component: async () => (await import('./group-sites-tab.tsx')).GroupSitesTab } },
    { path: 'users', lazy: { Component: async () => (await import('./group-users-tab.tsx')).GroupUsersTab } },
    {
      path: 'sites/assign',
      lazy: { Component: async () => (await import('./assign-group-members.tsx')).AssignGroupSites },
    },
    {
      path: 'users/assign',
      lazy: { Component: async () => (await import('./assign-group-members.tsx')).AssignGroupUsers },
    },
  ],
} satisfies PageRoute;

/** The groups list, and above it the panel of a group. */
export const groupsRoute: RouteObject = {
  lazy: {
    loader: async () => (await import('./groups-list.tsx')).beginGroupsList,
    Component: async () => (await import('./groups-list.tsx')).GroupsList,
  },
  shouldRevalidate: () => false,
  children: [listRoute, panelRoute],
};

/** The Groups tab of the site panel. */
export const siteGroupsRoutes: RouteObject[] = [
  { path: 'groups', lazy: { Component: async () => (await import('./site-groups-tab.tsx')).SiteGroupsTab } },
  {
    path: 'groups/assign',
    lazy: { Component: async () => (await import('./assign-site-groups.tsx')).AssignSiteGroups },
  },
];

/** The Groups tab of the user panel. */
export const userGroupsRoutes: RouteObject[] = [
  { path: 'groups', lazy: { Component: async () => (await import('./user-groups-tab.tsx')).UserGroupsTab } },
  {
    path: 'groups/assign',
    lazy: { Component: async () => (await import('./assign-user-groups.tsx')).AssignUserGroups },
  },
];

/** A field of the new-user panel. */
export const loadGroupsField = async () => (await import('./groups-field.tsx')).GroupsField;
