import type { Image } from '@opensocial/contract';
import type { ReactNode } from 'react';
import { type ImageKind, thumbnailAddress } from '../../api/links/image-address.ts';
import { ChoiceField } from '../choice-field/choice-field.tsx';
import { ImagePlate } from '../image-plate/image-plate.tsx';
import { useLibraries } from '../libraries/libraries.ts';

type ImageFieldProps = {
  label: string;
  description?: ReactNode;
  network: string;
  kind: ImageKind;
  /** The name of the image; '' is none. */
  value: string;
  onChange: (name: string) => void;
  /** The call that saves a choice, where choosing saves at once; the value follows when it has succeeded. */
  onChoose?: (image: Image) => Promise<unknown>;
  /** The same for taking it away (§4, Removing). */
  onRemove?: () => Promise<unknown>;
  /** For backgrounds: the plate is as wide as a screen is. */
  wide?: boolean;
};

/** An image from a library of the network. */
export function ImageField(props: ImageFieldProps) {
  const { label, description, network, kind, value, onChange, onChoose, onRemove, wide = false } = props;
  const { chooseImage } = useLibraries();
  const handleChoose = async () => {
    const image = await chooseImage({ network, kind, ...(value !== '' && { chosen: value }) });
    if (!image) return;
    await onChoose?.(image);
    onChange(image.name);
  };
  const handleRemove = async () => {
    await onRemove?.();
    onChange('');
  };
  return (
    <ChoiceField
      label={label}
      description={description}
      wide={wide}
      filled={value !== ''}
      preview={<ImagePlate address={value === '' ? undefined : thumbnailAddress({ network, kind, name: value })} />}
      onChoose={handleChoose}
      onRemove={handleRemove}
    />
  );
}
