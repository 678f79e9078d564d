import type { ReactNode } from 'react';
import { PageHeading } from '../page/page-heading.tsx';
import classes from './list-page.module.css';

type ListPageProps = { title: string; tools?: ReactNode; children: ReactNode };

/** A screen with a list. It has the height of the window, so that only the rows scroll. */
export function ListPage({ title, tools, children }: ListPageProps) {
  return (
    <div className={classes.page} data-fills-window>
      <PageHeading title={title}>{tools && <div className={classes.tools}>{tools}</div>}</PageHeading>
      {children}
    </div>
  );
}
