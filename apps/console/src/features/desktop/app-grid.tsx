import type { DesktopApp } from '@opensocial/contract';
import type { KeyboardEvent, Ref } from 'react';
import { AppTile } from '../../patterns/app-tile/app-tile.tsx';
import { elementBeside } from '../../patterns/arrow-keys/element-beside.ts';
import classes from './app-grid.module.css';

type AppGridProps = {
  ref?: Ref<HTMLUListElement>;
  apps: readonly DesktopApp[];
  /** Highlights the tile that Enter opens from the search field. */
  marksFirst?: boolean;
};

export function AppGrid({ ref, apps, marksFirst = false }: AppGridProps) {
  const handleKeyDown = (event: KeyboardEvent<HTMLUListElement>) => {
    const tiles = [...event.currentTarget.querySelectorAll('a')];
    const next = elementBeside(tiles, document.activeElement, event.key);
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  return (
    // Safari drops the list role from a list without bullets, so it is explicit. The arrow keys move between the links.
    // oxlint-disable-next-line jsx-a11y/no-redundant-roles, jsx-a11y/no-noninteractive-element-interactions -- see above
    <ul ref={ref} className={classes.grid} role="list" aria-label="Apps" onKeyDown={handleKeyDown}>
      {apps.map((app, index) => (
        <li key={app.id}>
          <AppTile app={app} marked={marksFirst && index === 0} />
        </li>
      ))}
    </ul>
  );
}

const placeholders = Array.from({ length: 12 }, (_, index) => index);

/** Placeholders with the size of the tiles, so that the layout does not shift. */
export function AppGridSkeleton() {
  return (
    <div className={classes.grid} role="status" aria-label="Loading apps">
      {placeholders.map((index) => (
        <span key={index} className={classes.placeholder} />
      ))}
    </div>
  );
}
