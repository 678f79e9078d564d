import { ApiError } from '@opensocial/contract';
import { MutationCache, QueryCache, QueryClient, type QueryMeta } from '@tanstack/react-query';
import { redirectToLogout, redirectToSignIn } from '../sign-in/sign-in.ts';

/** Marks a query whose error 'auth_required' leads to the logout instead of the sign-in (§8). */
export const logoutMeta: QueryMeta = { logsOut: true };

/** Leaves the console if the session has ended. The next call notices it. */
const redirectIfSignedOut = (error: Error, meta?: QueryMeta): void => {
  if (!(error instanceof ApiError) || error.code !== 'auth_required') return;
  void (meta?.['logsOut'] ? redirectToLogout() : redirectToSignIn());
};

const attempts = 3;

/** A 4xx error would occur again, so only server and network errors are retried. */
const shouldRetry = (failures: number, error: Error): boolean => {
  const isCallersFault = error instanceof ApiError && error.status < 500;
  return !isCallersFault && failures < attempts - 1;
};

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error, query) => redirectIfSignedOut(error, query.meta) }),
  mutationCache: new MutationCache({ onError: (error) => redirectIfSignedOut(error) }),
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: shouldRetry,
      retryDelay: (failures) => 500 * 2 ** failures,
    },
  },
});
