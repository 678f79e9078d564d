import type { Image } from '@opensocial/contract';
import type { ReactNode } from 'react';
import { type ImageKind, thumbnailAddress } from '../../api/links/image-address.ts';
import { ChoiceField } from '../choice-field/choice-field.tsx';
import { type ChoiceParts, choiceHandlers } from '../choice-field/choice-handlers.ts';
import { ImagePlate } from '../image-plate/image-plate.tsx';
import { useLibraries } from '../libraries/libraries.ts';

type ImageFieldProps = ChoiceParts<Image> & {
  label: string;
  description?: ReactNode;
  network: string;
  kind: ImageKind;
  /** The name of the image, or '' for no image. */
  value: string;
  /** For backgrounds: the preview has the proportions of a screen. */
  wide?: boolean;
};

/** A field for an image of a library of the network. */
export function ImageField({ label, description, network, kind, value, wide = false, ...parts }: ImageFieldProps) {
  const { chooseImage } = useLibraries();
  const choose = () => chooseImage({ network, kind, ...(value !== '' && { chosen: value }) });
  return (
    <ChoiceField
      label={label}
      description={description}
      wide={wide}
      filled={value !== ''}
      preview={<ImagePlate address={value === '' ? undefined : thumbnailAddress({ network, kind, name: value })} />}
      {...choiceHandlers(parts, choose, ({ name }) => name)}
    />
  );
}
