import type { PageRoute } from '../../patterns/page/page-route.ts';

export const settingsRoute = {
  id: 'ServerSettings',
  path: 'settings',
  lazy: { Component: async () => (await import('./settings-page.tsx')).SettingsPage },
  handle: { title: ({ server }) => `SSO Server Details · ${server}`, menu: 'Server Settings' },
} satisfies PageRoute;
