import type { ReactNode } from 'react';
import { PageHeading } from '../page/page-heading.tsx';
import classes from './list-page.module.css';

type ListPageProps = { title: string; tools?: ReactNode; children: ReactNode };

/** A screen that is a list: as high as the window, so that the rows scroll and the rest stays. */
export function ListPage({ title, tools, children }: ListPageProps) {
  return (
    <div className={classes.page}>
      <PageHeading title={title}>{tools && <div className={classes.tools}>{tools}</div>}</PageHeading>
      {children}
    </div>
  );
}
