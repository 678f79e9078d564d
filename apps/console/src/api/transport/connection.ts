import { useSyncExternalStore } from 'react';
import { queryClient } from './query-client.ts';

/** The interval of the health checks while the server is unreachable, in milliseconds. */
const checkInterval = 3_000;

let isLost = false;
let checkTimer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

/** Records for every request whether the server could be reached. Any response means that it could. */
export const watchConnection = async (request: Promise<Response>): Promise<Response> => {
  try {
    const response = await request;
    setLost(false);
    return response;
  } catch (error) {
    // A request that the console aborted says nothing about the connection.
    if (!(error instanceof DOMException && error.name === 'AbortError')) setLost(true);
    throw error;
  }
};

const setLost = (lost: boolean): void => {
  if (lost === isLost) return;
  isLost = lost;
  clearInterval(checkTimer);
  if (lost) checkTimer = setInterval(checkServer, checkInterval);
  else void reloadFailed();
  for (const listener of listeners) listener();
};

const checkServer = (): void => {
  watchConnection(fetch('/healthz', { cache: 'no-store' })).catch(() => {});
};

/** Repeats the queries that failed in the meantime. The screen and its unsaved input stay. */
const reloadFailed = (): Promise<void> =>
  queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });

const subscribe = (listener: () => void): (() => void) => {
  const changed = () => {
    if (navigator.onLine && isLost) checkServer();
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

/** Whether the server is unreachable: the browser is offline, or the last request got no response. */
export const useConnectionLost = (): boolean => useSyncExternalStore(subscribe, () => isLost || !navigator.onLine);
