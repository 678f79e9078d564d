import { IconPhoto } from '@tabler/icons-react';
import { useState } from 'react';
import classes from './image-plate.module.css';

type ImagePlateProps = {
  /** None shows a default image, and so does one that is not there any more. */
  address: string | undefined;
};

/** A whole image, as large as the place that it is given. Decorative: what it is stands beside it. */
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
