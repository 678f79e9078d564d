import type { PageRoute } from '../../patterns/page/page-route.ts';

export const trashRoute = {
  id: 'Trash',
  path: 'trash',
  lazy: { Component: async () => (await import('./trash-list.tsx')).TrashList },
  handle: { title: ({ server }) => `Trash · ${server}`, menu: 'Trash' },
} satisfies PageRoute;
