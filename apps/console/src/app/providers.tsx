import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense } from 'react';
import { queryClient } from '../api/query-client.ts';
import { theme } from './theme/theme.ts';

// Toasts wait in their store until their place is loaded, so the first paint need not wait for it.
const Toasts = lazy(async () => ({ default: (await import('@mantine/notifications')).Notifications }));

type ProvidersProps = { children: ReactNode };

/** No `withCssVariables` and no `withGlobalClasses`: both write <style> elements, which the CSP refuses. */
export function Providers({ children }: ProvidersProps) {
  return (
    <QueryClientProvider client={queryClient}>
      <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
        {children}
        <Suspense>
          <Toasts position="top-right" autoClose={5000} />
        </Suspense>
      </MantineProvider>
    </QueryClientProvider>
  );
}
