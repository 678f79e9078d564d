import type { PageRoute } from '../../patterns/page/page-route.ts';

export const ownersRoute = {
  id: 'ServerAdmins',
  path: 'admins',
  lazy: {
    loader: async () => (await import('./owners-list.tsx')).beginOwnersList,
    Component: async () => (await import('./owners-list.tsx')).OwnersList,
  },
  shouldRevalidate: () => false,
  handle: { title: ({ server }) => `Server Admins · ${server}`, menu: 'Server Admins' },
} satisfies PageRoute;
