import { ApiError } from '@opensocial/contract';
import { MutationCache, QueryCache, QueryClient, type QueryMeta } from '@tanstack/react-query';
import { leaveForLogout, leaveForSignIn } from '../sign-in/sign-in.ts';

/** For a query whose 'auth_required' leads to logout instead of to sign in (§8). */
export const logsOut: QueryMeta = { logsOut: true };

/** A session that ends while the console is open: the next call finds out. */
const leaveIfSignedOut = (error: Error, meta?: QueryMeta): void => {
  if (!(error instanceof ApiError) || error.code !== 'auth_required') return;
  void (meta?.['logsOut'] ? leaveForLogout() : leaveForSignIn());
};

const attempts = 3;

/** What the caller did wrong stays wrong; what the server or the network did may pass. */
const shouldRetry = (failures: number, error: Error): boolean => {
  const isCallersFault = error instanceof ApiError && error.status < 500;
  return !isCallersFault && failures < attempts - 1;
};

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error, query) => leaveIfSignedOut(error, query.meta) }),
  mutationCache: new MutationCache({ onError: (error) => leaveIfSignedOut(error) }),
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: shouldRetry,
      retryDelay: (failures) => 500 * 2 ** failures,
    },
  },
});
