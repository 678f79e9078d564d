import type { DesktopApp } from '@opensocial/contract';
import { webUrl } from '../links/web-url.ts';
import classes from './app-tile.module.css';
import { TileFace } from './tile-face.tsx';

type AppTileProps = { app: DesktopApp; marked?: boolean };

export function AppTile({ app, marked = false }: AppTileProps) {
  const url = webUrl(app.login_url);
  if (!url) {
    return (
      <div className={classes.tile} data-closed title="This app has no address that can be opened.">
        <TileFace app={app} />
      </div>
    );
  }
  return (
    <a className={classes.tile} href={url} target="_blank" rel="noopener noreferrer" data-marked={marked || undefined}>
      <TileFace app={app} />
    </a>
  );
}
