import { useSyncExternalStore } from 'react';

/** What other tabs are told by the page that a fresh sign-in ends at. */
const channelName = 'signed-in-again';

export const signedInAgainPath = '/signed-in-again';

export const freshSignInUrl = `/server/saml/login?force=yes&next=${encodeURIComponent(signedInAgainPath)}`;

/** `reason` is the server's sentence: what the sign-in has to prove. */
export type Asking = { reason: string; answer: (isDone: boolean) => void };

let asking: Asking | undefined;
let asked: Promise<boolean> | undefined;
const listeners = new Set<() => void>();

const set = (next: Asking | undefined): void => {
  asking = next;
  for (const listener of listeners) listener();
};

/**
 * Asks for a sign-in in another tab, so that nothing that was typed in this one is lost. Answers whether it was done; calls
 * that need it at the same time wait for the same one.
 */
export const freshSignIn = (reason: string): Promise<boolean> => {
  asked ??= new Promise<boolean>((resolve) => {
    const channel = new BroadcastChannel(channelName);
    const answer = (isDone: boolean) => {
      channel.close();
      asked = undefined;
      set(undefined);
      resolve(isDone);
    };
    channel.addEventListener('message', () => answer(true));
    set({ reason, answer });
  });
  return asked;
};

export const tellSignedInAgain = (): void => {
  const channel = new BroadcastChannel(channelName);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches our own origin alone
  channel.postMessage('done');
  channel.close();
};

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** What stands open, if a fresh sign-in is asked for. */
export const useFreshSignInAsked = (): Asking | undefined => useSyncExternalStore(subscribe, () => asking);
