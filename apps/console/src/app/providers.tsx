import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { queryClient } from '../api/transport/query-client.ts';
import { usePressFocus } from './press-focus.ts';
import { theme } from './theme/theme.ts';
import { Toasts } from './toasts.tsx';

type ProvidersProps = { children: ReactNode };

/** No `withCssVariables` and no `withGlobalClasses`: both write <style> elements, which the CSP refuses. */
export function Providers({ children }: ProvidersProps) {
  usePressFocus();
  return (
    <QueryClientProvider client={queryClient}>
      <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
        {children}
        <Toasts />
      </MantineProvider>
    </QueryClientProvider>
  );
}
