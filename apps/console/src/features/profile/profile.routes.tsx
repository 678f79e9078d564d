import type { PageRoute } from '../../patterns/page/page-route.ts';

export const profileRoute = {
  id: 'Profile',
  path: '/profile',
  lazy: { Component: async () => (await import('./profile-page.tsx')).ProfilePage },
  handle: { title: 'Profile', menu: 'Profile' },
} satisfies PageRoute;

export const toProfile = (): string => profileRoute.path;

/** The part of the screen that explains second factors. */
export const aboutMfa = 'about-mfa';
export const toAboutMfa = (): string => `${profileRoute.path}#${aboutMfa}`;
