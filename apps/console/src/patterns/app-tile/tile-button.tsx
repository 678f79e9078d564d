import { type ComponentProps, memo } from 'react';
import classes from './app-tile.module.css';
import { TileFace, type TileLook } from './tile-face.tsx';

type TileButtonProps = ComponentProps<'button'> & { app: TileLook };

/** The tile as a desktop shows it, where pressing it does something else than opening the app. */
export function TileButton({ app, ...button }: TileButtonProps) {
  return (
    <button type="button" {...button} className={classes.tile}>
      <Face app={app} />
    </button>
  );
}

/** Many of them move at once: what they show stays as it is. */
const Face = memo(TileFace);
