import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';

/** The debounce of the save, in milliseconds. Leaving the field saves at once. */
const saveDelay = 600;

/** §9: how long `Saved.` is shown, in milliseconds. */
const savedDisplayTime = 2_000;

/** Saves edits without a button: `save` is debounced, and `isSaved` is true for a moment after a save has succeeded. */
export const useAutosave = <Values>(send: (values: Values, options: { onSuccess: () => void }) => void) => {
  const [savedAt, setSavedAt] = useState<number>();
  const save = useDebouncedCallback(
    (values: Values) => send(values, { onSuccess: () => setSavedAt(Date.now()) }),
    // Saves the last edit when the screen is left right after it.
    { delay: saveDelay, flushOnUnmount: true },
  );
  useEffect(() => {
    if (savedAt === undefined) return undefined;
    const timer = setTimeout(() => setSavedAt(undefined), savedDisplayTime);
    return () => clearTimeout(timer);
  }, [savedAt]);
  return { save, isSaved: savedAt !== undefined };
};
