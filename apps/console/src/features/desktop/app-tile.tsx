import type { DesktopApp } from '@opensocial/contract';
import { webUrl } from '../../patterns/links/web-url.ts';
import { AppPlate } from './app-plate.tsx';
import classes from './app-tile.module.css';
import { nameColours } from './tile-colours.ts';

type AppTileProps = { app: DesktopApp; marked?: boolean };

export function AppTile({ app, marked = false }: AppTileProps) {
  const url = webUrl(app.login_url);
  const { color, backgroundColor } = nameColours(app);
  const face = (
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
    </>
  );
  if (!url) {
    return (
      <div className={classes.tile} data-closed title="This app has no address that can be opened.">
        {face}
      </div>
    );
  }
  return (
    <a className={classes.tile} href={url} target="_blank" rel="noopener noreferrer" data-marked={marked || undefined}>
      {face}
    </a>
  );
}
