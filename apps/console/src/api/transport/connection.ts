import { useSyncExternalStore } from 'react';
import { queryClient } from './query-client.ts';

/** How often a lost server is looked for. */
const lookEvery = 3_000;

let isLost = false;
let look: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

/** Notes of every request whether the server could be reached; an answer of any kind means that it could. */
export const watchConnection = async (request: Promise<Response>): Promise<Response> => {
  try {
    const response = await request;
    setLost(false);
    return response;
  } catch (error) {
    // A request that we gave up ourselves says nothing about the connection.
    if (!(error instanceof DOMException && error.name === 'AbortError')) setLost(true);
    throw error;
  }
};

const setLost = (lost: boolean): void => {
  if (lost === isLost) return;
  isLost = lost;
  clearInterval(look);
  if (lost) look = setInterval(lookForServer, lookEvery);
  else void reloadFailed();
  for (const listener of listeners) listener();
};

const lookForServer = (): void => {
  watchConnection(fetch('/healthz', { cache: 'no-store' })).catch(() => {});
};

/** What failed meanwhile is asked again; what is on the screen stays, and so does what was typed. */
const reloadFailed = (): Promise<void> =>
  queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });

const subscribe = (listener: () => void): (() => void) => {
  const changed = () => {
    if (navigator.onLine && isLost) lookForServer();
    listener();
  };
  listeners.add(listener);
  window.addEventListener('online', changed);
  window.addEventListener('offline', changed);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('online', changed);
    window.removeEventListener('offline', changed);
  };
};

/** Whether the server is out of reach: the browser is offline, or the last call got no answer. */
export const useConnectionLost = (): boolean => useSyncExternalStore(subscribe, () => isLost || !navigator.onLine);
