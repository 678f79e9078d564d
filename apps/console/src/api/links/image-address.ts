import { getIconImage, getImage } from '@opensocial/contract';

/** A network has two libraries: images for logos and backgrounds, and icon pictures for tiles. */
export type ImageKind = 'image' | 'icon';

type ImageRef = { network: string; kind: ImageKind; name: string };

/** Where a browser finds the image that a site or a network names. */
export const imageAddress = ({ network, kind, name }: ImageRef): string =>
  kind === 'image' ? getImage.path.build({ name }) : getIconImage.path.build({ server: network, name });

/** The same where a small one is enough. */
export const thumbnailAddress = (image: ImageRef): string => `${imageAddress(image)}?thumbnail`;
