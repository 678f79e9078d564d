import type { Image } from '@opensocial/contract';
import { ImagePlate } from '../../patterns/image-plate/image-plate.tsx';
import classes from './image-thumbnail.module.css';

export const imageName = ({ title, file_name, name }: Image): string => title || file_name || name;

type ImageThumbnailProps = { image: Image };

export function ImageThumbnail({ image }: ImageThumbnailProps) {
  return (
    <>
      <span className={classes.plate}>
        <ImagePlate address={image.thumbnail} />
      </span>
      <span className={classes.name}>{imageName(image)}</span>
    </>
  );
}
