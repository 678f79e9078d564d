import { ApiError } from '@opensocial/contract';
import { useSyncExternalStore } from 'react';

/** The page at which a fresh sign-in ends posts to this channel; the tab that waits for the sign-in listens to it. */
const channelName = 'signed-in-again';

export const signedInAgainPath = '/signed-in-again';

export const freshSignInUrl = `/server/saml/login?force=yes&next=${encodeURIComponent(signedInAgainPath)}`;

const nothingChanged = 'Nothing was changed, because you did not sign in again.';

/** A call was not repeated, because the person has dismissed the sign-in. `isShown`: the form that has made the call says so itself. */
class DismissedSignIn extends ApiError {
  readonly isShown: boolean;

  constructor({ isShown }: { isShown: boolean }) {
    super('reauth_required', { message: nothingChanged });
    this.isShown = isShown;
  }
}

export const isShownByForm = (error: unknown): boolean => error instanceof DismissedSignIn && error.isShown;

/** Forms that wait for a call, by the function that shows that the sign-in was dismissed. */
const waitingForms = new Set<(text: string) => void>();

/** Registers a form that waits for a call. Returns a function that removes it. */
export const watchDismissal = (show: (text: string) => void) => {
  waitingForms.add(show);
  return () => {
    waitingForms.delete(show);
  };
};

/** A call waits for a fresh sign-in. `reason` is the server's text: what the sign-in has to prove. */
export type FreshSignInRequest = { reason: string; answer: (isDone: boolean) => void };

/** The dialog to show: the request for a sign-in, or the notice that another person has signed in. */
type FreshSignInState = { request: FreshSignInRequest } | { otherPerson: string };

let state: FreshSignInState | undefined;
let pending: Promise<void> | undefined;
const listeners = new Set<() => void>();

const setState = (next: FreshSignInState | undefined): void => {
  state = next;
  for (const listener of listeners) listener();
};

/**
 * Asks for a sign-in in another tab, so that this tab keeps its unsaved input. Resolves when the sign-in was completed, and rejects with
 * `DismissedSignIn` otherwise. Concurrent calls share one request.
 */
export const requestFreshSignIn = (reason: string): Promise<void> => {
  pending ??= new Promise<void>((resolve, reject) => {
    const channel = new BroadcastChannel(channelName);
    const answer = (isDone: boolean) => {
      channel.close();
      pending = undefined;
      setState(undefined);
      if (isDone) return resolve();
      for (const show of waitingForms) show(nothingChanged);
      return reject(new DismissedSignIn({ isShown: waitingForms.size > 0 }));
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
