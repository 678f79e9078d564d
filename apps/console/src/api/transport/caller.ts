import {
  ApiError,
  type Caller,
  client,
  getSession,
  type Session,
  type SessionUser,
  sessionUserHeader,
  setSelected,
} from '@opensocial/contract';
import { reportOtherPerson, requestFreshSignIn } from '../sign-in/fresh-sign-in.ts';
import { takeBegunCall } from './begun-calls.ts';
import { watchConnection } from './connection.ts';
import { queryClient } from './query-client.ts';

export const sessionKey = ['session'] as const;

const shownUser = (): SessionUser | undefined => {
  const user = queryClient.getQueryData<Session>(sessionKey)?.user;
  return user === 'no session' ? undefined : user;
};

/** The CSRF token, for browsers that do not send Sec-Fetch-Site, and the person whom the console shows. */
const sessionHeaders = (): Record<string, string> => {
  const csrf = queryClient.getQueryData<Session>(sessionKey)?.csrf;
  const user = shownUser();
  return { ...(csrf && { 'x-csrf': csrf }), ...(user && { [sessionUserHeader]: String(user.id) }) };
};

/** A caller over `request`. If another person has signed in in this browser, its calls never settle and a dialog says so. */
export const callerOver = (request: typeof fetch): Caller => {
  const caller = client({ fetch: (...parts) => watchConnection(request(...parts)), headers: sessionHeaders });
  return async (...parts) => {
    try {
      return await caller(...parts);
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'other_person')) throw error;
      const { user } = await caller(getSession, {});
      if (user !== 'no session' && user.id !== shownUser()?.id) return reportOtherPerson(user.username);
      // The other person has signed out again, so the server answers as usual.
      return caller(...parts);
    }
  };
};

const callOnce = callerOver((path, init) => takeBegunCall(path) ?? fetch(path, init));

/**
 * Makes any call of the contract: `call(getRole, { params: { server } }, signal)`. It throws `ApiError`. A call that needs a
 * fresh sign-in waits for it and is repeated once, or throws `DismissedSignIn`. If the new session does not satisfy the server either, the second refusal is
 * thrown, so that the screen shows the reason instead of asking in a loop.
 */
export const call: Caller = async (...parts) => {
  const before = shownUser();
  try {
    return await callOnce(...parts);
  } catch (error) {
    const isStale = error instanceof ApiError && error.code === 'reauth_required';
    if (!isStale) throw error;
    await requestFreshSignIn(error.message);
    await adoptSession(before);
    return callOnce(...parts);
  }
};

/**
 * Adopts the session of the fresh sign-in. The network selected in this tab is selected again, because a new session does not know
 * it. The function never returns if the session belongs to another person, so the call is not repeated in that person's name.
 */
const adoptSession = async (before: SessionUser | undefined): Promise<void> => {
  const session = await callOnce(getSession, {});
  const { user } = session;
  const isKnown = before !== undefined && user !== 'no session';
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
