import type { PageRoute } from '../../patterns/page/page-route.ts';
import { helpPath } from './help.links.ts';

export const helpRoute = {
  id: 'Help',
  path: helpPath,
  lazy: { Component: async () => (await import('./help-page.tsx')).HelpPage },
  handle: { title: 'Guide for owners' },
} satisfies PageRoute;
