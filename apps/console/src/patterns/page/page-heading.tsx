import type { ReactNode } from 'react';
import classes from './page-heading.module.css';

type PageHeadingProps = { eyebrow?: ReactNode; title: ReactNode; children?: ReactNode };

/** The title of a screen with the screen's buttons beside it. The title gets the focus after a navigation. */
export function PageHeading({ eyebrow, title, children }: PageHeadingProps) {
  return (
    <header className={classes.heading} data-keep-clear>
      <div className={classes.words}>
        {eyebrow && <p className={classes.eyebrow}>{eyebrow}</p>}
        <h1 className={classes.title} tabIndex={-1}>
          {title}
        </h1>
      </div>
      {children}
    </header>
  );
}
