import type { PageRoute } from '../../patterns/page/page-route.ts';

export const templatesRoute = {
  id: 'EmailTemplates',
  path: 'email-templates',
  lazy: { Component: async () => (await import('./email-templates.tsx')).EmailTemplates },
  handle: { title: ({ server }) => `Email Templates · ${server}`, menu: 'Email Templates' },
} satisfies PageRoute;
