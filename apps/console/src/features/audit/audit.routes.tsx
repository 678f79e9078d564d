import type { RouteObject } from 'react-router';
import type { PageRoute } from '../../patterns/page/page-route.ts';
import { changesPath } from './audit.links.ts';

const belongs = { screen: 'changes', menu: 'Activity' };

const listRoute = {
  id: 'Changes',
  path: changesPath,
  element: null,
  handle: { title: 'Changes · Activity', ...belongs },
} satisfies PageRoute;

const panelRoute = {
  id: 'Change',
  path: `${changesPath}/:record_id/details`,
  lazy: { Component: async () => (await import('./change-panel.tsx')).ChangePanel },
  handle: { title: 'Change · Activity', ...belongs },
} satisfies PageRoute;

/** A tab of the Activity screen: the changes, and above them the panel of a change. */
export const changesRoute: RouteObject = {
  lazy: { Component: async () => (await import('./changes-list.tsx')).ChangesList },
  children: [listRoute, panelRoute],
};
