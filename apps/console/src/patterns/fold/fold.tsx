import { IconChevronDown } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './fold.module.css';

type FoldProps = {
  title: ReactNode;
  opened?: boolean;
  /** Whether it is about a problem. Then it has a red border while it is open. */
  isProblem?: boolean;
  children: ReactNode;
};

/** A collapsible part of a screen. */
export function Fold({ title, opened = false, isProblem = false, children }: FoldProps) {
  return (
    <details className={classes.fold} open={opened} data-problem={isProblem || undefined}>
      <summary className={classes.title}>
        <span className={classes.text}>{title}</span>
        <IconChevronDown className={classes.arrow} size={18} stroke={1.8} aria-hidden="true" />
      </summary>
      <div className={classes.inner}>{children}</div>
    </details>
  );
}
