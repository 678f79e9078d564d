import type { PageRoute } from '../../patterns/page/page-route.ts';

export const aboutRoute = {
  id: 'About',
  path: '/about',
  lazy: { Component: async () => (await import('./about.tsx')).About },
  handle: { title: 'About' },
} satisfies PageRoute;

export const toAbout = (): string => aboutRoute.path;
