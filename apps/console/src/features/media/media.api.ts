import {
  getIconImage,
  getImage,
  type Image,
  type ImageChanges,
  listIconImages,
  listImages,
  removeIconImage,
  removeImage,
  updateIconImage,
  updateImage,
  uploadIconImage,
  uploadImage,
} from '@opensocial/contract';
import { type InfiniteData, mutationOptions, queryOptions } from '@tanstack/react-query';
import type { ImageKind } from '../../api/links/image-address.ts';
import { callWithProgress } from '../../api/transport/call-with-progress.ts';
import { call } from '../../api/transport/caller.ts';
import { type Page, pagedQuery, shifted, withoutRows } from '../../api/transport/paged-query.ts';
import { queryClient } from '../../api/transport/query-client.ts';

/** One of the two libraries of a network. */
export type MediaLibrary = { network: string; kind: ImageKind };

const listsKey = ({ network, kind }: MediaLibrary) => ['media', kind, network, 'list'] as const;
const imageKey = ({ network, kind }: MediaLibrary, name: string) => ['media', kind, network, 'image', name] as const;

export const imagesQuery = (library: MediaLibrary, search: string) =>
  pagedQuery<Image>({
    queryKey: [...listsKey(library), search],
    page: async (lastid, signal) => {
      const params = { server: library.network, lastid, ...(search !== '' && { keyword: search }) };
      const { images, all_images, total_is_minimum } = await call(
        library.kind === 'image' ? listImages : listIconImages,
        { params },
        signal,
      );
      return { rows: images, total: all_images, isMinimum: total_is_minimum === true };
    },
  });

const fetchImage = ({ network, kind }: MediaLibrary, name: string, signal?: AbortSignal): Promise<Image> =>
  kind === 'image'
    ? call(getImage, { params: { name } }, signal)
    : call(getIconImage, { params: { server: network, name } }, signal);

export const imageQuery = (library: MediaLibrary, name: string) =>
  queryOptions({
    queryKey: imageKey(library, name),
    queryFn: ({ signal }) => fetchImage(library, name, signal),
  });

/** The cached list already contains the image. */
export const cacheImage = (library: MediaLibrary, image: Image): void => {
  queryClient.setQueryData(imageKey(library, image.name), image);
};

type ImageEdit = { id: number; changes: ImageChanges };

export const editImage = (library: MediaLibrary) =>
  mutationOptions({
    mutationKey: ['media', 'update'],
    // Saves run one after the other, so that the last edit wins.
    scope: { id: 'media' },
    mutationFn: ({ id, changes }: ImageEdit) =>
      call(library.kind === 'image' ? updateImage : updateIconImage, { params: { id }, body: changes }),
    onSuccess: (image) => {
      cacheImage(library, image);
      changeLists(library, (page) => ({ ...page, rows: page.rows.map((row) => (row.id === image.id ? image : row)) }));
    },
  });

type ImageRemoval = {
  image: Image;
  /** Also remove the image from the places that use it. */
  force: boolean;
};

export const deleteImage = (library: MediaLibrary) =>
  mutationOptions({
    mutationKey: ['media', 'remove'],
    mutationFn: ({ image: { name }, force }: ImageRemoval) => {
      const query = force ? ({ force: 'true' } as const) : {};
      return library.kind === 'image'
        ? call(removeImage, { params: { name }, query })
        : call(removeIconImage, { params: { server: library.network, name }, query });
    },
    onSuccess: (_answer, { image, force }) => {
      queryClient.setQueriesData({ queryKey: listsKey(library) }, withoutRows<Image>(new Set([image.id])));
      queryClient.removeQueries({ queryKey: imageKey(library, image.name) });
      // Other screens may show the deleted image, so they are loaded again.
      return force
        ? queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'media' })
        : undefined;
    },
  });

/** §4, Upload: the new image is fetched and placed first in the list. */
export const addImage = async (
  library: MediaLibrary,
  file: File,
  onProgress: (percent: number) => void,
  signal: AbortSignal,
): Promise<Image> => {
  const body = { sso_server: library.network, size: String(file.size) };
  const declared = library.kind === 'image' ? uploadImage : uploadIconImage;
  const { message: name } = await callWithProgress(onProgress)(declared, { body, file }, signal);
  const image = await fetchImage(library, name, signal);
  cacheImage(library, image);
  changeLists(library, (page, index) => ({
    ...page,
    total: shifted(page, 1),
    rows: index === 0 ? [image, ...page.rows] : page.rows,
  }));
  return image;
};

type Lists = InfiniteData<Page<Image>>;

const changeLists = (library: MediaLibrary, change: (page: Page<Image>, index: number) => Page<Image>): void => {
  queryClient.setQueriesData<Lists>(
    { queryKey: listsKey(library) },
    (cached) => cached && { ...cached, pages: cached.pages.map(change) },
  );
};
