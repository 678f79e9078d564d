import { useEffect, useSyncExternalStore } from 'react';

/** The name of the record that a panel shows, for the title of the browser's tab. Routes know ids; names come with the record. */
let current = '';
const listeners = new Set<() => void>();

const setCurrent = (name: string): void => {
  current = name;
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** For the panel of a record, while it is open. */
export const useNamedRecord = (name: string): void => {
  useEffect(() => {
    setCurrent(name);
    return () => setCurrent('');
  }, [name]);
};

export const useRecordName = (): string => useSyncExternalStore(subscribe, () => current);
