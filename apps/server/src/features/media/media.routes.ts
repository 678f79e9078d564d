import {
  ApiError,
  getIconImage,
  getImage,
  listIconImages,
  listImages,
  removeIconImage,
  removeImage as removeImageCall,
  updateIconImage,
  updateImage,
  uploadIconImage,
  uploadImage,
} from '@opensocial/contract';
import type { Bind, BindUpload } from '../../http/bind.ts';
import type { Parts } from '../../parts.ts';
import { findInLibrary, readImages } from './media.queries.ts';
import { addImage, changeImage, removeImage, toImage } from './media.service.ts';

/** The two libraries of a network have the same calls at different URLs. */
const libraries = [
  {
    kind: 'image',
    list: listImages,
    get: getImage,
    update: updateImage,
    remove: removeImageCall,
    upload: uploadImage,
  },
  {
    kind: 'icon',
    list: listIconImages,
    get: getIconImage,
    update: updateIconImage,
    remove: removeIconImage,
    upload: uploadIconImage,
  },
] as const;

export const mediaRoutes = (bind: Bind, bindUpload: BindUpload, parts: Parts): void => {
  const { db, config } = parts;

  for (const { kind, list, get, update, remove, upload } of libraries) {
    bind(list, async ({ network, params }) => {
      const { keyword, lastid: lastId } = params;
      const library = { networkId: network.id, kind };
      const { rows, total, total_is_minimum } = await readImages(db, library, {
        keyword,
        lastId,
        size: config.pageSize,
      });
      return { images: rows.map((image) => toImage(image, network.name)), all_images: total, total_is_minimum };
    });

    bind(get, async ({ network, params }) => {
      const image = await findInLibrary(db, { networkId: network.id, kind }, { name: params.name });
      if (!image) throw new ApiError('not_found');
      return toImage(image, network.name);
    });

    bind(update, async ({ params, body, ...caller }) =>
      toImage(await changeImage(parts, kind, caller, params.id, body), caller.network.name),
    );

    bind(remove, async ({ params, query, ...caller }) => {
      const trash_id = await removeImage(parts, kind, caller, params.name, query.force === 'true');
      return { message: 'The image was deleted.', trash_id };
    });

    bindUpload(upload, async ({ file, ...caller }) => ({ message: (await addImage(parts, kind, caller, file)).name }));
  }
};
