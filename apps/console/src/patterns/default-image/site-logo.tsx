import { useState } from 'react';
import site from './site.svg';
import classes from './site-logo.module.css';

type SiteLogoProps = {
  /** None shows the default image, and so does one that does not load. */
  address: string | undefined;
};

/** Decorative: the name of the site stands beside it. */
export function SiteLogo({ address }: SiteLogoProps) {
  const [failed, setFailed] = useState<string>();
  if (address === undefined || address === failed) return <img className={classes.none} src={site} alt="" />;
  return <img className={classes.logo} src={address} alt="" onError={() => setFailed(address)} />;
}
