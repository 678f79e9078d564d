import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { toHome } from '../features/desktop/desktop.links.ts';
import classes from './not-found.module.css';

export function NotFound() {
  return (
    <div className={classes.page} data-fills-window>
      <p className={classes.code} aria-hidden="true">
        404
      </p>
      <h1 className={classes.title} tabIndex={-1}>
        UH OH! You're lost.
      </h1>
      <p className={classes.words}>
        The page you are looking for does not exist. The address may be misspelt, or the page may have moved.
      </p>
      <Button component={Link} to={toHome()}>
        HOME
      </Button>
    </div>
  );
}
