import { z } from 'zod';
import { networkAdmin } from '../access.ts';
import { call, uploadCall } from '../call.ts';
import { Id, NamedNetwork, Removed } from '../fields.ts';
import { page } from '../paging.ts';
import { listPath, path } from '../paths.ts';
import { Image, ImageChanges, ImageDraft, imageUpload } from './media.schemas.ts';

const ImageName = z.string().min(1).max(200);
const ImagePage = page('images', Image, 'all_images');
const Uploaded = z.object({ message: z.string() });

/** An image in use can be deleted only with `force`. Places that use it then show no image. */
const Removal = z.object({ force: z.literal('true').optional() });

export const listImages = call({
  method: 'GET',
  path: listPath('/server/sso/sso_images/:server', {}, '/:lastid', { server: NamedNetwork }),
  summary: "A network's images for logos and backgrounds, the newest first.",
  access: networkAdmin({ server: 'name' }),
  answer: ImagePage,
});

export const getImage = call({
  method: 'GET',
  path: path('/server/sso/sso_images/image/:name', { name: ImageName }),
  summary: 'One image: the record if the request asks for JSON, otherwise the file itself, for anyone.',
  access: networkAdmin({ name: 'imageName' }),
  answer: Image,
});

export const updateImage = call({
  method: 'PUT',
  path: path('/server/sso/sso_images/:id', { id: Id }),
  summary: 'Change the texts of an image.',
  access: networkAdmin({ id: 'image' }),
  body: ImageChanges,
  answer: Image,
});

export const removeImage = call({
  method: 'DELETE',
  path: path('/server/sso/sso_images/:name', { name: ImageName }),
  summary:
    'Delete an image; it can be restored from the trash. If the image is in use, the answer lists where, unless force is given.',
  access: networkAdmin({ name: 'imageName' }),
  query: Removal,
  answer: Removed,
});

export const uploadImage = uploadCall({
  method: 'POST',
  path: path('/prxy/api/image_upload', {}),
  summary: 'Upload an image for logos and backgrounds. The message is its name.',
  access: networkAdmin({ sso_server: 'name' }),
  upload: imageUpload,
  body: ImageDraft,
  answer: Uploaded,
});

export const listIconImages = call({
  method: 'GET',
  path: listPath('/server/sso/icon_images/:server', {}, '/:lastid', { server: NamedNetwork }),
  summary: "A network's icon pictures, the newest first.",
  access: networkAdmin({ server: 'name' }),
  answer: ImagePage,
});

export const getIconImage = call({
  method: 'GET',
  path: path('/server/sso/icon_image/:server/:name', { server: NamedNetwork, name: ImageName }),
  summary: 'One icon picture: the record if the request asks for JSON, otherwise the file itself, for anyone.',
  access: networkAdmin({ server: 'name', name: 'imageName' }),
  answer: Image,
});

export const updateIconImage = call({
  method: 'PUT',
  path: path('/server/sso/icon_images/:id', { id: Id }),
  summary: 'Change the texts of an icon picture.',
  access: networkAdmin({ id: 'image' }),
  body: ImageChanges,
  answer: Image,
});

export const removeIconImage = call({
  method: 'DELETE',
  path: path('/server/sso/icon_images/:server/:name', { server: NamedNetwork, name: ImageName }),
  summary:
    'Delete an icon picture; it can be restored from the trash. If the picture is in use, the answer lists where, unless force is given.',
  access: networkAdmin({ server: 'name', name: 'imageName' }),
  query: Removal,
  answer: Removed,
});

export const uploadIconImage = uploadCall({
  method: 'POST',
  path: path('/prxy/api/icon_image_upload', {}),
  summary: 'Upload an icon picture. The message is its name.',
  access: networkAdmin({ sso_server: 'name' }),
  upload: imageUpload,
  body: ImageDraft,
  answer: Uploaded,
});
