import type { ReactNode } from 'react';
import classes from './facts.module.css';

type FactsProps = { children: ReactNode };

/** What is known of a record, one line a fact. */
export function Facts({ children }: FactsProps) {
  return <dl className={classes.facts}>{children}</dl>;
}

type FactProps = {
  label: string;
  /** In smaller letters below. */
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

/** As high as the facts will be. */
export function FactsSkeleton({ label, lines }: FactsSkeletonProps) {
  return (
    <div className={classes.facts} role="status" aria-label={label}>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} className={classes.bone} />
      ))}
    </div>
  );
}
