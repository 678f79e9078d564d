import { ApiError } from '@opensocial/contract';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { leaveForSignIn } from './sign-in.ts';

/** A session that ends while the console is open: the next call finds out. */
const leaveIfSignedOut = (error: Error): void => {
  if (error instanceof ApiError && error.code === 'auth_required') void leaveForSignIn();
};

const attempts = 3;

/** What the caller did wrong stays wrong; what the server or the network did may pass. */
const shouldRetry = (failures: number, error: Error): boolean => {
  const isCallersFault = error instanceof ApiError && error.status < 500;
  return !isCallersFault && failures < attempts - 1;
};

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: leaveIfSignedOut }),
  mutationCache: new MutationCache({ onError: leaveIfSignedOut }),
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: shouldRetry,
      retryDelay: (failures) => 500 * 2 ** failures,
    },
  },
});
