import { Navigate, type RouteObject } from 'react-router';
import type { PageRoute } from '../../patterns/page/page-route.ts';
import type { GroupsField } from './connect/connect-context.ts';

const belongs = { screen: 'sites', menu: 'Sites' };

const listRoute = {
  id: 'Sites',
  path: 'sites',
  element: null,
  handle: { title: ({ server }) => `Sites · ${server}`, ...belongs },
} satisfies PageRoute;

const detailsRoute: RouteObject = {
  path: 'details',
  lazy: { Component: async () => (await import('./site-details-tab.tsx')).SiteDetailsTab },
};

const metadataRoute: RouteObject = {
  path: 'metadata',
  lazy: { Component: async () => (await import('./site-metadata-tab.tsx')).SiteMetadataTab },
};

const ssoRoute: RouteObject = {
  path: 'sso',
  lazy: { Component: async () => (await import('./sso/site-sso-tab.tsx')).SiteSsoTab },
};

const attributesRoute: RouteObject = {
  path: 'attributes',
  lazy: { Component: async () => (await import('./attributes/site-attributes-tab.tsx')).SiteAttributesTab },
};

/** The sites list, and above it the panel of a site. The router adds the tabs of other features. */
export const sitesRoute = (tabs: RouteObject[]): RouteObject => ({
  lazy: {
    loader: async () => (await import('./sites-list.tsx')).beginSitesList,
    Component: async () => (await import('./sites-list.tsx')).SitesList,
  },
  shouldRevalidate: () => false,
  children: [
    listRoute,
    {
      id: 'Site',
      path: 'sites/:site_name/:site_id',
      lazy: { Component: async () => (await import('./site-panel.tsx')).SitePanel },
      handle: { title: ({ site_name }) => `${site_name} · Sites`, ...belongs },
      children: [
        { index: true, element: <Navigate to="details" replace /> },
        detailsRoute,
        attributesRoute,
        metadataRoute,
        ssoRoute,
        ...tabs,
      ],
    } satisfies PageRoute,
  ],
});

const connectSteps: RouteObject[] = [
  { index: true, lazy: { Component: async () => (await import('./connect/application-step.tsx')).ApplicationStep } },
  {
    path: 'connection',
    lazy: { Component: async () => (await import('./connect/connection-step.tsx')).ConnectionStep },
  },
  { path: ':site_id/values', lazy: { Component: async () => (await import('./connect/values-step.tsx')).ValuesStep } },
  { path: ':site_id/people', lazy: { Component: async () => (await import('./connect/people-step.tsx')).PeopleStep } },
  { path: ':site_id/test', lazy: { Component: async () => (await import('./connect/test-step.tsx')).TestStep } },
];

/** The guide that connects an application. The router provides the field for groups. */
export const connectRoute = (loadGroupsField: () => Promise<GroupsField>): RouteObject =>
  ({
    id: 'Connect',
    path: 'connect',
    lazy: {
      element: async () => {
        const [{ ConnectPage }, GroupsField] = await Promise.all([
          import('./connect/connect-page.tsx'),
          loadGroupsField(),
        ]);
        return <ConnectPage GroupsField={GroupsField} />;
      },
    },
    handle: { title: 'Connect an application', ...belongs },
    children: connectSteps,
  }) satisfies PageRoute;
