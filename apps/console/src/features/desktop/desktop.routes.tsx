import type { PageRoute } from '../../patterns/page/page-route.ts';

export const homeRoute = {
  path: '/',
  lazy: { Component: async () => (await import('./home-desktop.tsx')).HomeDesktop },
  handle: { title: 'Desktop' },
} satisfies PageRoute;

export const toHome = (): string => homeRoute.path;
