import { IconPhoto } from '@tabler/icons-react';
import { useState } from 'react';
import classes from './image-plate.module.css';

type ImagePlateProps = {
  /** The address. A default image is shown without it, and if the image no longer exists. */
  address: string | undefined;
};

/** An image that fits into the given space. Decorative, because its description is beside it. */
export function ImagePlate({ address }: ImagePlateProps) {
  const [failed, setFailed] = useState<string>();
  const shown = address === failed ? undefined : address;
  return (
    <span className={classes.plate} data-filled={shown !== undefined || undefined}>
      {shown === undefined ? (
        <IconPhoto className={classes.none} stroke={1.4} aria-hidden="true" />
      ) : (
        <img className={classes.image} src={shown} alt="" loading="lazy" onError={() => setFailed(shown)} />
      )}
    </span>
  );
}
