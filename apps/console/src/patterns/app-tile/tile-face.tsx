import type { DesktopApp } from '@opensocial/contract';
import { AppPlate } from './app-plate.tsx';
import classes from './app-tile.module.css';
import { describeMaintenance, type MaintenanceState } from './maintenance.ts';
import { nameColours } from './tile-colours.ts';

/** The visible properties of a tile. */
export type TileLook = Omit<DesktopApp, 'id' | 'login_url' | 'is_closed' | 'closes_at' | 'opens_at'> &
  Partial<MaintenanceState>;

type TileFaceProps = { app: TileLook };

export function TileFace({ app }: TileFaceProps) {
  const { color, backgroundColor } = nameColours(app);
  const maintenance = describeMaintenance(app);
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
      {maintenance && <span className={classes.maintenance}>{maintenance}</span>}
    </>
  );
}
