import { iconCredits } from '@opensocial/contract';
import { Fragment } from 'react';
import classes from './icon-credits.module.css';

/** The attribution that the licences of the icons require. */
export function IconCredits() {
  return (
    <p className={classes.credits}>
      Icons:{' '}
      {iconCredits.map(({ title, url, licence, licenceUrl }, index) => (
        <Fragment key={title}>
          {index > 0 && ', '}
          <a href={url} target="_blank" rel="noopener noreferrer">
            {title}
          </a>{' '}
          (
          <a href={licenceUrl} target="_blank" rel="noopener noreferrer">
            {licence}
          </a>
          )
        </Fragment>
      ))}
    </p>
  );
}
