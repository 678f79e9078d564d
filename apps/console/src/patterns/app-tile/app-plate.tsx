import type { DesktopApp } from '@opensocial/contract';
import { initialOf } from '@opensocial/look/initial';
import { useMemo, useState } from 'react';
import { webUrl } from '../links/web-url.ts';
import classes from './app-plate.module.css';
import { iconImage } from './icon-image.ts';
import { plateColours } from './tile-colours.ts';

type AppPlateProps = {
  app: Pick<DesktopApp, 'name' | 'icon' | 'icon_bg' | 'icon_color' | 'icon_background' | 'icon_width'>;
  /** For a row of a list. The configured width of the icon has no effect. */
  small?: boolean;
};

/**
 * The plate of a tile: a picture, otherwise an icon with the configured width, otherwise the first letter of the
 * name. The plate grows with the icon up to the size of the tile.
 */
export function AppPlate({ app, small }: AppPlateProps) {
  const [failed, setFailed] = useState<string>();
  const { color, backgroundColor } = plateColours(app);
  const icon = useMemo(() => iconImage(app.icon, color), [app.icon, color]);
  const picture = webUrl(app.icon_bg);

  if (picture && picture !== failed) {
    return (
      <img
        className={classes.plate}
        data-small={small}
        src={picture}
        alt=""
        loading="lazy"
        onError={() => setFailed(picture)}
      />
    );
  }
  // A form passes the value while the user types, which may not be a number.
  const width = icon && app.icon_width > 0 ? { '--icon-width': `${app.icon_width}px` } : {};
  return (
    <span className={classes.plate} data-small={small} style={{ color, backgroundColor, ...width }} aria-hidden="true">
      {icon ? <img className={classes.icon} src={icon} alt="" /> : initialOf(app.name)}
    </span>
  );
}
