import type { ReactNode } from 'react';
import classes from './state-mark.module.css';

type Tone = 'good' | 'warn' | 'bad' | 'quiet';

type StateMarkProps = { tone: Tone; children: ReactNode };

/** A state in a word, with a dot in its colour. */
export function StateDot({ tone, children }: StateMarkProps) {
  return (
    <span className={classes.dotted} data-tone={tone}>
      {children}
    </span>
  );
}

/** The same on a ground of its colour. */
export function StateBadge({ tone, children }: StateMarkProps) {
  return (
    <span className={classes.badge} data-tone={tone}>
      {children}
    </span>
  );
}
