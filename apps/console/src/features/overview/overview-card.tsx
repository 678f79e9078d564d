import { type ReactNode, useId } from 'react';
import classes from './overview-card.module.css';

type OverviewCardProps = {
  title: string;
  /** A sentence below the title. */
  note?: ReactNode;
  /** Beside the title, at the end of its line. */
  tools?: ReactNode;
  children: ReactNode;
};

/** A part of the overview with a title. */
export function OverviewCard({ title, note, tools, children }: OverviewCardProps) {
  const id = useId();
  return (
    <section className={classes.card} aria-labelledby={id}>
      <header className={classes.head}>
        <h2 className={classes.title} id={id}>
          {title}
        </h2>
        {tools}
        {note && <p className={classes.note}>{note}</p>}
      </header>
      {children}
    </section>
  );
}
