import { Outlet, type RouteObject } from 'react-router';
import { aboutRoute } from '../features/about/about.routes.tsx';
import {
  desktopOfUserRoute,
  siteAccessRoute,
  userAccessRoute,
} from '../features/access-checks/access-checks.routes.tsx';
import { setPasswordRoute } from '../features/activation/activation.routes.tsx';
import { activityRoute, siteActivityRoutes, userActivityRoutes } from '../features/activity/activity.routes.tsx';
import { changesRoute } from '../features/audit/audit.routes.tsx';
import { homeRoute, networkDesktopRoute } from '../features/desktop/desktop.routes.tsx';
import { userDesktopRoute } from '../features/desktop-config/desktop-config.routes.tsx';
import { designerRoute, reportRoute } from '../features/embedded/embedded.routes.tsx';
import { groupsRoute, loadGroupsField, siteGroupsRoutes, userGroupsRoutes } from '../features/groups/groups.routes.tsx';
import { helpRoute } from '../features/help/help.routes.tsx';
import { networksRoute } from '../features/networks/networks.routes.tsx';
import { overviewRoute } from '../features/overview/overview.routes.tsx';
import { ownersRoute } from '../features/owners/owners.routes.tsx';
import { profileRoute } from '../features/profile/profile.routes.tsx';
import { signedInAgainRoute } from '../features/session/session.routes.tsx';
import { settingsRoute } from '../features/settings/settings.routes.tsx';
import { connectRoute, sitesRoute } from '../features/sites/sites.routes.tsx';
import { templatesRoute } from '../features/templates/templates.routes.tsx';
import { trashRoute } from '../features/trash/trash.routes.tsx';
import { siteUsersRoute, usersRoute } from '../features/users/users.routes.tsx';
import { useDocumentTitle } from '../patterns/page/use-document-title.ts';
import { ConnectionNotice } from './connection-notice.tsx';
import { FreshSignIn } from './fresh-sign-in.tsx';
import { checkadmin, is_loggedin } from './guards.tsx';
import { LibrariesProvider } from './libraries-provider.tsx';
import { notFoundRoute } from './not-found.routes.tsx';
import { ErrorPage, ErrorScreen } from './route-errors.tsx';
import { Shell } from './shell/shell.tsx';

const screens: RouteObject[] = [
  homeRoute,
  networkDesktopRoute,
  networksRoute,
  activityRoute([changesRoute]),
  profileRoute,
  checkadmin([
    overviewRoute,
    sitesRoute([...siteGroupsRoutes, siteUsersRoute, siteAccessRoute, ...siteActivityRoutes]),
    connectRoute(loadGroupsField),
    usersRoute({ tabs: [...userGroupsRoutes, userAccessRoute, ...userActivityRoutes], loadGroupsField }),
    desktopOfUserRoute,
    groupsRoute,
    userDesktopRoute,
    ownersRoute,
    settingsRoute,
    templatesRoute,
    trashRoute,
  ]),
  reportRoute,
  designerRoute,
  aboutRoute,
  helpRoute,
  signedInAgainRoute,
  notFoundRoute,
];

const shell: RouteObject = {
  Component: Shell,
  ErrorBoundary: ErrorPage,
  children: [{ ErrorBoundary: ErrorScreen, children: screens }],
};

/** The route table of §2.1. Every page except the activation page needs a session. */
export const routes: RouteObject[] = [
  { Component: Root, ErrorBoundary: ErrorPage, children: [setPasswordRoute, is_loggedin([shell])] },
];

function Root() {
  useDocumentTitle();
  return (
    <>
      <LibrariesProvider>
        <Outlet />
      </LibrariesProvider>
      <ConnectionNotice />
      <FreshSignIn />
    </>
  );
}
