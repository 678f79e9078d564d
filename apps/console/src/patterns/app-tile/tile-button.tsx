import { type ComponentProps, memo } from 'react';
import classes from './app-tile.module.css';
import { TileFace, type TileLook } from './tile-face.tsx';

type TileButtonProps = ComponentProps<'button'> & { app: TileLook };

/** A desktop tile as a button, for screens where a click does not open the app. */
export function TileButton({ app, ...button }: TileButtonProps) {
  return (
    <button type="button" {...button} className={classes.tile}>
      <Face app={app} />
    </button>
  );
}

/** Memoised, because many tiles move at once and their content stays the same. */
const Face = memo(TileFace);
