import type { ConfiguredApp } from '@opensocial/contract';
import { IconX } from '@tabler/icons-react';
import { TileButton } from '../../patterns/app-tile/tile-button.tsx';
import type { CellPlace } from './app-cells.tsx';
import classes from './desktop-tile.module.css';
import { useDraggableApp } from './use-draggable-app.ts';

/** A constant element, so that React does not render the icon again while tiles move. */
const cross = <IconX size={14} stroke={2.2} />;

type DesktopTileProps = {
  app: ConfiguredApp;
  place: CellPlace;
  onOpen: (id: number) => void;
  onRemove: (id: number) => void;
};

/** A tile of the desktop. It can be dragged, opened, or removed by its button. */
export function DesktopTile({ app, place, onOpen, onRemove }: DesktopTileProps) {
  const draggable = useDraggableApp(app.id, place);
  const handleRemove = () => {
    place.onRemoved();
    onRemove(app.id);
  };
  return (
    <div className={classes.tile}>
      <TileButton {...draggable} app={app} aria-haspopup="dialog" onClick={() => onOpen(app.id)} />
      <button
        type="button"
        className={classes.remove}
        aria-label={`Remove ${app.name} from the desktop`}
        tabIndex={place.tabIndex}
        onFocus={place.onFocus}
        onClick={handleRemove}
      >
        {cross}
      </button>
    </div>
  );
}
