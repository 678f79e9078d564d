import type { RouteObject } from 'react-router';
import type { PageRoute } from '../../patterns/page/page-route.ts';
import { activityPath } from './activity.links.ts';

const belongs = { screen: 'activity', menu: 'Activity' };

const listRoute = {
  id: 'Activity',
  path: activityPath,
  element: null,
  handle: { title: 'Activity', ...belongs },
} satisfies PageRoute;

const panelRoute = {
  id: 'ActivityLine',
  path: `${activityPath}/:line_id/details`,
  lazy: { Component: async () => (await import('./line-panel.tsx')).LinePanel },
  handle: { title: 'Sign-in · Activity', ...belongs },
} satisfies PageRoute;

/** The login log of the selected network, and above it the panel of a line. The router adds the other tabs. */
export const activityRoute = (tabs: RouteObject[]): RouteObject => ({
  lazy: { Component: async () => (await import('./activity-page.tsx')).ActivityPage },
  children: [
    {
      lazy: { Component: async () => (await import('./activity-list.tsx')).ActivityList },
      children: [listRoute, panelRoute],
    },
    ...tabs,
  ],
});

const lineRoute: RouteObject = {
  path: 'activity/:line_id',
  lazy: { Component: async () => (await import('./line-tab.tsx')).LineTab },
};

/** The Activity tab of the site panel, and a line in it. */
export const siteActivityRoutes: RouteObject[] = [
  {
    path: 'activity',
    lazy: { Component: async () => (await import('./site-activity-tab.tsx')).SiteActivityTab },
  },
  lineRoute,
];

/** The tabs Activity and Timeline of the user panel, and a line of the log. */
export const userActivityRoutes: RouteObject[] = [
  {
    path: 'activity',
    lazy: { Component: async () => (await import('./user-activity-tab.tsx')).UserActivityTab },
  },
  lineRoute,
  {
    path: 'timeline',
    lazy: { Component: async () => (await import('./timeline/user-timeline-tab.tsx')).UserTimelineTab },
  },
];
