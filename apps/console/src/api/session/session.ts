import { getSession, type SessionUser, setDefault, setSelected } from '@opensocial/contract';
import { mutationOptions, queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { call, sessionKey } from '../transport/caller.ts';
import type { NetworkRef } from '../transport/network-ref.ts';
import { queryClient } from '../transport/query-client.ts';

export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: ({ signal }) => call(getSession, {}, signal),
  // Calls that change the session return the new session, and the next call notices a session that has ended.
  staleTime: Number.POSITIVE_INFINITY,
});

/** The signed-in user. Only for screens behind the session guard, which have a session. */
export const useSessionUser = (): SessionUser => {
  const { user } = useSuspenseQuery(sessionQuery).data;
  if (user === 'no session') throw new Error('useSessionUser needs the session guard around the screen.');
  return user;
};

/** The network of screens that have no network in their address. */
export const useSelectedNetwork = (): NetworkRef => {
  const { selected_id, selected_server } = useSessionUser();
  return { id: selected_id, name: selected_server };
};

export const selectNetwork = async (user: SessionUser, { id, name }: NetworkRef): Promise<void> => {
  const session = await call(setSelected, {
    params: { userId: user.id },
    body: { selected_server: name, selected_id: id },
  });
  queryClient.setQueryData(sessionKey, session);
};

/** §4: the default network becomes the selected one too. */
export const makeDefault = (user: SessionUser) =>
  mutationOptions({
    mutationKey: ['session', 'default'],
    mutationFn: ({ id, name }: NetworkRef) =>
      call(setDefault, {
        params: { userId: user.id },
        body: { default_server: name, server_id: id, selected_server: name, selected_id: id },
      }),
    onSuccess: (session) => queryClient.setQueryData(sessionKey, session),
  });
