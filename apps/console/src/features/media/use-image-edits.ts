import type { Image, ImageChanges } from '@opensocial/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useAutosave } from '../../patterns/form/use-autosave.ts';
import { editImage, type MediaLibrary } from './media.api.ts';

/** §4, Image detail edits. */
export const useImageEdits = (library: MediaLibrary, image: Image) => {
  const { alt_text, title, caption, description } = image;
  const [values, setValues] = useState<ImageChanges>({ alt_text, title, caption, description });
  const saving = useMutation(editImage(library));
  const { save, isSaved } = useAutosave((changes: ImageChanges, options) =>
    saving.mutate({ id: image.id, changes }, options),
  );
  const change = (field: keyof ImageChanges, value: string) => {
    const next = { ...values, [field]: value };
    setValues(next);
    save(next);
  };
  return { values, change, saveNow: () => save.flush(), isSaved, error: saving.error };
};
