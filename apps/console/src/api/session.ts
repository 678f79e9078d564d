import { getSession, type SessionUser } from '@opensocial/contract';
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { call, sessionKey } from './caller.ts';

export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: ({ signal }) => call(getSession, {}, signal),
  // Calls that change the session answer with the changed one; a session that ends is noticed by the next call.
  staleTime: Number.POSITIVE_INFINITY,
});

/** The signed-in user; for screens behind the session guard, where it is always there. */
export const useSessionUser = (): SessionUser => {
  const { user } = useSuspenseQuery(sessionQuery).data;
  if (user === 'no session') throw new Error('This screen stands outside the session guard');
  return user;
};
