import { useState } from 'react';
import site from './site.svg';
import classes from './site-logo.module.css';

type SiteLogoProps = {
  /** The address. The default image is shown without it, and if the image does not load. */
  address: string | undefined;
};

/** Decorative, because the name of the site is beside it. */
export function SiteLogo({ address }: SiteLogoProps) {
  const [failed, setFailed] = useState<string>();
  if (address === undefined || address === failed) return <img className={classes.none} src={site} alt="" />;
  return <img className={classes.logo} src={address} alt="" onError={() => setFailed(address)} />;
}
