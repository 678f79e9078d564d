import { getIconImage, getImage } from '@opensocial/contract';

/** A network has two libraries: images for logos and backgrounds, and icon pictures for tiles. */
export type ImageKind = 'image' | 'icon';

type ImageRef = { network: string; kind: ImageKind; name: string };

/** The address of an image of a site or network. */
export const imageAddress = ({ network, kind, name }: ImageRef): string =>
  kind === 'image' ? getImage.path.build({ name }) : getIconImage.path.build({ server: network, name });

/** The address of a small version. */
export const thumbnailAddress = (image: ImageRef): string => `${imageAddress(image)}?thumbnail`;
