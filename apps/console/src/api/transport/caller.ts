import { ApiError, type Caller, client, getSession, type Session, setSelected } from '@opensocial/contract';
import { reportOtherPerson, requestFreshSignIn } from '../sign-in/fresh-sign-in.ts';
import { watchConnection } from './connection.ts';
import { queryClient } from './query-client.ts';

export const sessionKey = ['session'] as const;

/** The CSRF token, for browsers that do not send Sec-Fetch-Site. */
const csrfHeader = (): Record<string, string> => {
  const session = queryClient.getQueryData<Session>(sessionKey);
  return session?.csrf ? { 'x-csrf': session.csrf } : {};
};

export const callerOver = (request: typeof fetch): Caller =>
  client({ fetch: (...parts) => watchConnection(request(...parts)), headers: csrfHeader });

const callOnce = callerOver((...parts) => fetch(...parts));

/**
 * Makes any call of the contract: `call(getRole, { params: { server } }, signal)`. It throws `ApiError`. A call that needs a
 * fresh sign-in waits for it and is repeated once. If the new session does not satisfy the server either, the second refusal is
 * thrown, so that the screen shows the reason instead of asking in a loop.
 */
export const call: Caller = async (...parts) => {
  const before = queryClient.getQueryData<Session>(sessionKey)?.user;
  try {
    return await callOnce(...parts);
  } catch (error) {
    const isStale = error instanceof ApiError && error.code === 'reauth_required';
    if (!isStale || !(await requestFreshSignIn(error.message))) throw error;
    await adoptSession(before);
    return callOnce(...parts);
  }
};

/**
 * Adopts the session of the fresh sign-in. The network selected in this tab is selected again, because a new session does not know
 * it. The function never returns if the session belongs to another person, so the call is not repeated in that person's name.
 */
const adoptSession = async (before: Session['user'] | undefined): Promise<void> => {
  const session = await callOnce(getSession, {});
  const { user } = session;
  const isKnown = before !== undefined && before !== 'no session' && user !== 'no session';
  if (isKnown && user.id !== before.id) return reportOtherPerson(user.username);
  queryClient.setQueryData(sessionKey, session);
  if (isKnown && user.selected_id !== before.selected_id) {
    const { selected_server, selected_id } = before;
    const selected = await callOnce(setSelected, {
      params: { userId: user.id },
      body: { selected_server, selected_id },
    });
    queryClient.setQueryData(sessionKey, selected);
  }
};
