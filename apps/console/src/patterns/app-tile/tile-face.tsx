import type { DesktopApp } from '@opensocial/contract';
import { AppPlate } from './app-plate.tsx';
import classes from './app-tile.module.css';
import { nameColours } from './tile-colours.ts';
import { describeTileState, type TileState } from './tile-state.ts';

/** The visible properties of a tile. */
export type TileLook = Omit<DesktopApp, 'id' | 'login_url' | keyof TileState> & Partial<TileState>;

type TileFaceProps = { app: TileLook };

export function TileFace({ app }: TileFaceProps) {
  const { color, backgroundColor } = nameColours(app);
  const state = describeTileState(app);
  return (
    <>
      <AppPlate app={app} />
      <span className={classes.name} title={app.name}>
        <span
          className={classes.words}
          style={{ color, backgroundColor }}
          data-chip={backgroundColor !== undefined || undefined}
        >
          {app.name}
        </span>
      </span>
      {state && <span className={classes.state}>{state}</span>}
    </>
  );
}
