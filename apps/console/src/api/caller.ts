import { ApiError, type Caller, client, getSession, type Session, setSelected } from '@opensocial/contract';
import { watchConnection } from './connection.ts';
import { freshSignIn } from './fresh-sign-in.ts';
import { queryClient } from './query-client.ts';

export const sessionKey = ['session'] as const;

/** Proof that the call comes from our own page, for browsers that send none themselves. */
const proofOfOrigin = (): Record<string, string> => {
  const session = queryClient.getQueryData<Session>(sessionKey);
  return session?.csrf ? { 'x-csrf': session.csrf } : {};
};

export const callerOver = (request: typeof fetch): Caller =>
  client({ fetch: (...parts) => watchConnection(request(...parts)), headers: proofOfOrigin });

const callOnce = callerOver((...parts) => fetch(...parts));

/**
 * Makes any call of the contract: `call(getRole, { params: { server } }, signal)`. It throws `ApiError`. A call that needs a
 * fresh sign-in waits for it and is repeated once: if the new sign-in does not prove enough either, the refusal is thrown, so
 * that the screen shows what is needed instead of asking again and again.
 */
export const call: Caller = async (...parts) => {
  try {
    return await callOnce(...parts);
  } catch (error) {
    const isStale = error instanceof ApiError && error.code === 'reauth_required';
    if (!isStale || !(await freshSignIn(error.message))) throw error;
    await takeOverSession();
    return callOnce(...parts);
  }
};

/** The new session knows nothing of the network that is open here; and it may be somebody else's. */
const takeOverSession = async (): Promise<void> => {
  const before = queryClient.getQueryData<Session>(sessionKey)?.user;
  const session = await callOnce(getSession, {});
  queryClient.setQueryData(sessionKey, session);
  const { user } = session;
  if (before === undefined || before === 'no session' || user === 'no session') return;
  if (user.id !== before.id) window.location.reload();
  else if (user.selected_id !== before.selected_id) {
    const { selected_server, selected_id } = before;
    const selected = await callOnce(setSelected, {
      params: { userId: user.id },
      body: { selected_server, selected_id },
    });
    queryClient.setQueryData(sessionKey, selected);
  }
};
