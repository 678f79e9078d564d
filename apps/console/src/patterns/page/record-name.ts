import { useEffect, useSyncExternalStore } from 'react';

/** The name of the record in the open panel, for the document title. Routes only know ids. */
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

/** Sets the name while the panel of the record is open. */
export const useNamedRecord = (name: string): void => {
  useEffect(() => {
    setCurrent(name);
    return () => setCurrent('');
  }, [name]);
};

export const useRecordName = (): string => useSyncExternalStore(subscribe, () => current);
