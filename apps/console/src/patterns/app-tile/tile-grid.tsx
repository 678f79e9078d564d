import type { ComponentProps } from 'react';
import classes from './tile-grid.module.css';

type TileGridProps = Omit<ComponentProps<'ul'>, 'className' | 'role'> & { 'aria-label': string };

/** The tiles of a desktop, as a list of `li` elements. */
export function TileGrid(props: TileGridProps) {
  // oxlint-disable-next-line jsx-a11y/no-redundant-roles -- Safari drops the list role of a list without bullets
  return <ul {...props} className={classes.grid} role="list" />;
}
