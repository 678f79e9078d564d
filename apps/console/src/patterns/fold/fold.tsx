import { IconChevronDown } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './fold.module.css';

type FoldProps = { title: string; opened?: boolean; children: ReactNode };

/** A collapsible part of a form. */
export function Fold({ title, opened = false, children }: FoldProps) {
  return (
    <details className={classes.fold} open={opened}>
      <summary className={classes.title}>
        {title}
        <IconChevronDown className={classes.arrow} size={18} stroke={1.8} aria-hidden="true" />
      </summary>
      <div className={classes.inner}>{children}</div>
    </details>
  );
}
