import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { Suspense } from 'react';
import { createMemoryRouter, type RouteObject, RouterProvider } from 'react-router';
import { queryClient } from '../api/transport/query-client.ts';
import { Toasts } from '../app/toasts.tsx';

/** The router removes the functions from `lazy` when it calls them, so each router needs its own copy. */
const fresh = (route: RouteObject): RouteObject =>
  ({
    ...route,
    ...(typeof route.lazy === 'object' && { lazy: { ...route.lazy } }),
    ...(route.children && { children: route.children.map(fresh) }),
  }) as RouteObject;

/** Renders a route at an address, without the shell. */
export const renderScreen = (route: RouteObject, address: string) => {
  const router = createMemoryRouter([fresh(route)], { initialEntries: [address] });
  const view = render(
    <QueryClientProvider client={queryClient}>
      <MantineProvider env="test">
        <Toasts />
        <Suspense>
          <RouterProvider router={router} />
        </Suspense>
      </MantineProvider>
    </QueryClientProvider>,
  );
  return { ...view, router };
};
