import { Navigate, type RouteObject } from 'react-router';
import type { PageRoute } from '../../patterns/page/page-route.ts';

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

const oidcRoute: RouteObject = {
  path: 'openid-connect',
  lazy: { Component: async () => (await import('./oidc/site-oidc-tab.tsx')).SiteOidcTab },
};

const attributesRoute: RouteObject = {
  path: 'attributes',
  lazy: { Component: async () => (await import('./attributes/site-attributes-tab.tsx')).SiteAttributesTab },
};

/** The sites list, and above it the panel of a site. The router adds the tabs of other features. */
export const sitesRoute = (tabs: RouteObject[]): RouteObject => ({
  lazy: { Component: async () => (await import('./sites-list.tsx')).SitesList },
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
        oidcRoute,
        ...tabs,
      ],
    } satisfies PageRoute,
  ],
});
