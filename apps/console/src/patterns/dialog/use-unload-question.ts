import { useEffect } from 'react';

/** The browser asks for confirmation before the tab is closed or reloaded. */
export const useUnloadQuestion = (active: boolean): void => {
  useEffect(() => {
    if (!active) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [active]);
};
