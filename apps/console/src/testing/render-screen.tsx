import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { Suspense } from 'react';
import { createMemoryRouter, type RouteObject, RouterProvider } from 'react-router';
import { queryClient } from '../api/query-client.ts';

/** Shows a route at an address as the console does, without the shell. */
export const renderScreen = (route: RouteObject, address: string) => {
  // A router takes the functions out of `lazy` as it calls them: each needs a copy of its own.
  const lazy = typeof route.lazy === 'object' ? { ...route.lazy } : route.lazy;
  const fresh = { ...route, ...(lazy && { lazy }) };
  const router = createMemoryRouter([fresh], { initialEntries: [address] });
  return render(
    <QueryClientProvider client={queryClient}>
      <MantineProvider env="test">
        <Notifications />
        <Suspense>
          <RouterProvider router={router} />
        </Suspense>
      </MantineProvider>
    </QueryClientProvider>,
  );
};
