import type { Icon } from '@tabler/icons-react';
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

type StateIconProps = { tone: Tone; icon: Icon; label: string };

/** A state as an icon on a coloured background, at the beginning of a line that it is about. */
export function StateIcon({ tone, icon: Symbol, label }: StateIconProps) {
  return (
    <span className={classes.icon} data-tone={tone}>
      <Symbol size={15} stroke={2.4} aria-hidden="true" />
      <span className="visually-hidden">{label}: </span>
    </span>
  );
}
