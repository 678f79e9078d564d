import type { DesktopApp } from '@opensocial/contract';
import { initialOf } from '@opensocial/look/initial';
import { useMemo, useState } from 'react';
import { webUrl } from '../../patterns/links/web-url.ts';
import classes from './app-plate.module.css';
import { iconImage } from './icon-image.ts';
import { plateColours } from './tile-colours.ts';

type AppPlateProps = { app: DesktopApp };

/** A picture fills the plate; else the icon stands on it; else the name's first letter. */
export function AppPlate({ app }: AppPlateProps) {
  const [pictureFailed, setPictureFailed] = useState(false);
  const { color, backgroundColor } = plateColours(app);
  const icon = useMemo(() => iconImage(app.icon, color), [app.icon, color]);
  const picture = pictureFailed ? undefined : webUrl(app.icon_bg);

  if (picture) {
    return <img className={classes.plate} src={picture} alt="" loading="lazy" onError={() => setPictureFailed(true)} />;
  }
  return (
    <span className={classes.plate} style={{ color, backgroundColor }} aria-hidden="true">
      {icon ? <img className={classes.icon} src={icon} alt="" /> : initialOf(app.name)}
    </span>
  );
}
