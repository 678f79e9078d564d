import { useSyncExternalStore } from 'react';

/** The page at which a fresh sign-in ends posts to this channel; the tab that waits for the sign-in listens to it. */
const channelName = 'signed-in-again';

export const signedInAgainPath = '/signed-in-again';

export const freshSignInUrl = `/server/saml/login?force=yes&next=${encodeURIComponent(signedInAgainPath)}`;

/** A call waits for a fresh sign-in. `reason` is the server's text: what the sign-in has to prove. */
export type FreshSignInRequest = { reason: string; answer: (isDone: boolean) => void };

/** The dialog to show: the request for a sign-in, or the notice that another person has signed in. */
type FreshSignInState = { request: FreshSignInRequest } | { otherPerson: string };

let state: FreshSignInState | undefined;
let pending: Promise<boolean> | undefined;
const listeners = new Set<() => void>();

const setState = (next: FreshSignInState | undefined): void => {
  state = next;
  for (const listener of listeners) listener();
};

/**
 * Asks for a sign-in in another tab, so that this tab keeps its unsaved input. Resolves to whether the sign-in was completed.
 * Concurrent calls share one request.
 */
export const requestFreshSignIn = (reason: string): Promise<boolean> => {
  pending ??= new Promise<boolean>((resolve) => {
    const channel = new BroadcastChannel(channelName);
    const answer = (isDone: boolean) => {
      channel.close();
      pending = undefined;
      setState(undefined);
      resolve(isDone);
    };
    channel.addEventListener('message', () => answer(true));
    setState({ request: { reason, answer } });
  });
  return pending;
};

/**
 * Reports that another person has signed in in this browser. The page has to be reloaded, so the promise never settles: no screen
 * continues with the data of the first person under the session of the second.
 */
export const reportOtherPerson = (username: string): Promise<never> => {
  setState({ otherPerson: username });
  return new Promise(() => {});
};

export const tellSignedInAgain = (): void => {
  const channel = new BroadcastChannel(channelName);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel reaches only its own origin
  channel.postMessage('done');
  channel.close();
};

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useFreshSignIn = (): FreshSignInState | undefined => useSyncExternalStore(subscribe, () => state);
