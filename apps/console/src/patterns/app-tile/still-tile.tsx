import classes from './app-tile.module.css';
import { TileFace, type TileLook } from './tile-face.tsx';

type StillTileProps = { app: TileLook; isClosed?: boolean };

/** A desktop tile that cannot be opened, for a look at the desktop of another person. */
export function StillTile({ app, isClosed = false }: StillTileProps) {
  return (
    <div className={classes.tile} data-closed={isClosed || undefined}>
      <TileFace app={app} />
    </div>
  );
}
