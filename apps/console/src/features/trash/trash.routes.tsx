import type { PageRoute } from '../../patterns/page/page-route.ts';

export const trashRoute = {
  id: 'Trash',
  path: 'trash',
  lazy: {
    loader: async () => (await import('./trash-list.tsx')).beginTrashList,
    Component: async () => (await import('./trash-list.tsx')).TrashList,
  },
  shouldRevalidate: () => false,
  handle: { title: ({ server }) => `Trash · ${server}`, menu: 'Trash' },
} satisfies PageRoute;
