import type { ReactNode } from 'react';
import classes from './facts.module.css';

type FactsProps = { children: ReactNode };

/** A list of facts about a record, one per line. */
export function Facts({ children }: FactsProps) {
  return <dl className={classes.facts}>{children}</dl>;
}

type FactProps = {
  label: string;
  /** A hint in smaller type below the value. */
  hint?: ReactNode;
  children: ReactNode;
};

export function Fact({ label, hint, children }: FactProps) {
  return (
    <div className={classes.fact}>
      <dt>{label}</dt>
      <dd>
        {children}
        {hint && <span className={classes.hint}>{hint}</span>}
      </dd>
    </div>
  );
}

type FactsSkeletonProps = { label: string; lines: number };

/** A placeholder with the height of the facts. */
export function FactsSkeleton({ label, lines }: FactsSkeletonProps) {
  return (
    <div className={classes.facts} role="status" aria-label={label}>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} className={classes.bone} />
      ))}
    </div>
  );
}
