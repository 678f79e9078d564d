import type { PageRoute } from '../../patterns/page/page-route.ts';
import { profilePath } from './profile.links.ts';

export const profileRoute = {
  id: 'Profile',
  path: profilePath,
  lazy: { Component: async () => (await import('./profile-page.tsx')).ProfilePage },
  handle: { title: 'Profile', menu: 'Profile' },
} satisfies PageRoute;
