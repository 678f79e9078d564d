import type { Image } from '@opensocial/contract';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { cacheImage, imageQuery, type MediaLibrary } from './media.api.ts';

/** The selected image, initially the image in use, which may be on a page that is not loaded or outside the search. */
export const useSelectedImage = (library: MediaLibrary, chosen: string | undefined) => {
  const [name, setName] = useState(chosen);
  const image = useQuery({ ...imageQuery(library, name ?? ''), enabled: name !== undefined });
  const select = useCallback(
    (next: Image | undefined) => {
      if (next) cacheImage(library, next);
      setName(next?.name);
    },
    [library],
  );
  return [name === undefined ? undefined : image.data, select] as const;
};
