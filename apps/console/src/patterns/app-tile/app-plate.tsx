import type { DesktopApp } from '@opensocial/contract';
import { initialOf } from '@opensocial/look/initial';
import { useMemo, useState } from 'react';
import { webUrl } from '../links/web-url.ts';
import classes from './app-plate.module.css';
import { iconImage } from './icon-image.ts';
import { plateColours } from './tile-colours.ts';

type AppPlateProps = { app: Pick<DesktopApp, 'name' | 'icon' | 'icon_bg' | 'icon_color' | 'icon_background'> };

/** A picture fills the plate; else the icon stands on it; else the name's first letter. */
export function AppPlate({ app }: AppPlateProps) {
  const [failed, setFailed] = useState<string>();
  const { color, backgroundColor } = plateColours(app);
  const icon = useMemo(() => iconImage(app.icon, color), [app.icon, color]);
  const picture = webUrl(app.icon_bg);

  if (picture && picture !== failed) {
    return <img className={classes.plate} src={picture} alt="" loading="lazy" onError={() => setFailed(picture)} />;
  }
  return (
    <span className={classes.plate} style={{ color, backgroundColor }} aria-hidden="true">
      {icon ? <img className={classes.icon} src={icon} alt="" /> : initialOf(app.name)}
    </span>
  );
}
