import type { PageRoute } from '../patterns/page/page-route.ts';

export const notFoundRoute = {
  id: 'NotFound',
  path: '*',
  lazy: { Component: async () => (await import('./not-found.tsx')).NotFound },
  handle: { title: 'Page not found' },
} satisfies PageRoute;
