import classes from './app-tile.module.css';
import { TileFace, type TileLook } from './tile-face.tsx';

type TilePreviewProps = { app: TileLook };

/** A preview of a desktop tile, without a link. */
export function TilePreview({ app }: TilePreviewProps) {
  return (
    <div className={classes.tile} data-preview role="img" aria-label={`Preview of the tile ${app.name}`}>
      <TileFace app={app} />
    </div>
  );
}
