import { Navigate, type RouteObject } from 'react-router';
import type { PageRoute } from '../../patterns/page/page-route.ts';
import type { GroupsField } from './new-user-panel.tsx';

type LoadGroupsField = () => Promise<GroupsField>;

const belongs = { screen: 'users', menu: 'Users' };

const listRoute = {
  id: 'Users',
  path: 'users',
  element: null,
  handle: { title: ({ server }) => `Users · ${server}`, ...belongs },
} satisfies PageRoute;

const newRoute = (loadGroupsField: LoadGroupsField) =>
  ({
    id: 'NewUser',
    path: 'users/new',
    lazy: {
      element: async () => {
        const [{ NewUserPanel }, GroupsField] = await Promise.all([import('./new-user-panel.tsx'), loadGroupsField()]);
        return <NewUserPanel GroupsField={GroupsField} />;
      },
    },
    handle: { title: 'New user', ...belongs },
  }) satisfies PageRoute;

const detailsRoute: RouteObject = {
  path: 'details',
  lazy: { Component: async () => (await import('./user-details-tab.tsx')).UserDetailsTab },
};

const sitesRoute: RouteObject = {
  path: 'sites',
  lazy: { Component: async () => (await import('./user-sites-tab.tsx')).UserSitesTab },
};

type UsersRouteParts = { tabs: RouteObject[]; loadGroupsField: LoadGroupsField };

/** The users list, and above it the panel of a user or of a new user. The router provides the parts of other features. */
export const usersRoute = ({ tabs, loadGroupsField }: UsersRouteParts): RouteObject => ({
  lazy: {
    loader: async () => (await import('./users-list.tsx')).beginUsersList,
    Component: async () => (await import('./users-list.tsx')).UsersList,
  },
  shouldRevalidate: () => false,
  children: [
    listRoute,
    newRoute(loadGroupsField),
    {
      id: 'User',
      path: 'users/:user_id',
      lazy: { Component: async () => (await import('./user-panel.tsx')).UserPanel },
      handle: { title: ({ server }) => `User · ${server}`, ...belongs },
      children: [{ index: true, element: <Navigate to="details" replace /> }, detailsRoute, sitesRoute, ...tabs],
    } satisfies PageRoute,
  ],
});

/** The Users tab of the site panel. */
export const siteUsersRoute: RouteObject = {
  path: 'users',
  lazy: { Component: async () => (await import('./site-users-tab.tsx')).SiteUsersTab },
};
