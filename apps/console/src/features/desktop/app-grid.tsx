import type { DesktopApp } from '@opensocial/contract';
import { AppTile } from '../../patterns/app-tile/app-tile.tsx';
import grid from '../../patterns/app-tile/tile-grid.module.css';
import { TileGrid } from '../../patterns/app-tile/tile-grid.tsx';
import classes from './app-grid.module.css';
import { FavouriteStar, type Favourites } from './favourite-star.tsx';

type AppGridProps = {
  label: string;
  apps: readonly DesktopApp[];
  /** Undefined if they could not be loaded. The tiles have no stars then. */
  favourites: Favourites | undefined;
  /** Whether the apps are the favourites. */
  isFavourites: boolean;
  /** Highlights the tile that Enter opens from the search field. */
  marksFirst: boolean;
};

export function AppGrid({ label, apps, favourites, isFavourites, marksFirst }: AppGridProps) {
  return (
    <TileGrid aria-label={label}>
      {apps.map((app, index) => (
        <li key={app.id} className={classes.item}>
          <AppTile app={app} marked={marksFirst && index === 0} />
          {favourites && <FavouriteStar app={app} favourites={favourites} isListed={isFavourites} />}
        </li>
      ))}
    </TileGrid>
  );
}

const placeholders = Array.from({ length: 12 }, (_, index) => index);

/** Placeholders with the size of the tiles, so that the layout does not shift. */
export function AppGridSkeleton() {
  return (
    <div className={grid.grid} role="status" aria-label="Loading apps">
      {placeholders.map((index) => (
        <span key={index} className={classes.placeholder} />
      ))}
    </div>
  );
}
