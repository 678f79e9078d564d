import classes from './app-tile.module.css';
import { TileFace, type TileLook } from './tile-face.tsx';

type TilePreviewProps = { app: TileLook };

/** The tile as a desktop shows it, while its look is being chosen: it leads nowhere. */
export function TilePreview({ app }: TilePreviewProps) {
  return (
    <div className={classes.tile} data-preview role="img" aria-label={`Preview of the tile ${app.name}`}>
      <TileFace app={app} />
    </div>
  );
}
