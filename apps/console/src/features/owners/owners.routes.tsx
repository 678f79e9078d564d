import type { PageRoute } from '../../patterns/page/page-route.ts';

export const ownersRoute = {
  id: 'ServerAdmins',
  path: 'admins',
  lazy: { Component: async () => (await import('./owners-list.tsx')).OwnersList },
  handle: { title: ({ server }) => `Server Admins · ${server}`, menu: 'Server Admins' },
} satisfies PageRoute;
