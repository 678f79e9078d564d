import type { PageRoute } from '../../patterns/page/page-route.ts';
import { aboutPath } from './about.links.ts';

export const aboutRoute = {
  id: 'About',
  path: aboutPath,
  lazy: { Component: async () => (await import('./about.tsx')).About },
  handle: { title: 'About' },
} satisfies PageRoute;
