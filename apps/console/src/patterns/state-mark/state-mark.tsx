import type { ReactNode } from 'react';
import classes from './state-mark.module.css';

type Tone = 'good' | 'warn' | 'bad' | 'quiet';

type StateMarkProps = { tone: Tone; children: ReactNode };

/** A state as a word with a coloured dot. */
export function StateDot({ tone, children }: StateMarkProps) {
  return (
    <span className={classes.dotted} data-tone={tone}>
      {children}
    </span>
  );
}

/** A state as a word on a coloured background. */
export function StateBadge({ tone, children }: StateMarkProps) {
  return (
    <span className={classes.badge} data-tone={tone}>
      {children}
    </span>
  );
}
