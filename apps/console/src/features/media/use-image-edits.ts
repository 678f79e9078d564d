import { useDebouncedCallback } from '@mantine/hooks';
import type { Image, ImageChanges } from '@opensocial/contract';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { editImage, type MediaLibrary } from './media.api.ts';

/** The debounce of the save, in milliseconds. Leaving the field saves at once. */
const saveDelay = 600;

/** §9. */
const savedDisplayTime = 2_000;

/** §4, Image detail edits. */
export const useImageEdits = (library: MediaLibrary, image: Image) => {
  const { alt_text, title, caption, description } = image;
  const [values, setValues] = useState<ImageChanges>({ alt_text, title, caption, description });
  const [savedAt, setSavedAt] = useState<number>();
  const saving = useMutation(editImage(library));
  const save = useDebouncedCallback(
    (changes: ImageChanges) => {
      saving.mutate({ id: image.id, changes }, { onSuccess: () => setSavedAt(Date.now()) });
    },
    // Saves the last edit when the library is closed right after it.
    { delay: saveDelay, flushOnUnmount: true },
  );
  useEffect(() => {
    if (savedAt === undefined) return undefined;
    const timer = setTimeout(() => setSavedAt(undefined), savedDisplayTime);
    return () => clearTimeout(timer);
  }, [savedAt]);

  const change = (field: keyof ImageChanges, value: string) => {
    const next = { ...values, [field]: value };
    setValues(next);
    save(next);
  };
  return { values, change, saveNow: () => save.flush(), isSaved: savedAt !== undefined, error: saving.error };
};
