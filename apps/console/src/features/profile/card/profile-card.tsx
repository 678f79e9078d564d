import { type ReactNode, useId } from 'react';
import classes from './profile-card.module.css';

type ProfileCardProps = { title: string; description?: ReactNode; aside?: ReactNode; children: ReactNode };

/** One matter of the profile: what it is about, and what there is to do. */
export function ProfileCard({ title, description, aside, children }: ProfileCardProps) {
  const titleId = useId();
  return (
    <section className={classes.card} aria-labelledby={titleId}>
      <div className={classes.head}>
        <div className={classes.words}>
          <h2 id={titleId} className={classes.title}>
            {title}
          </h2>
          {description && <p className={classes.description}>{description}</p>}
        </div>
        {aside}
      </div>
      {children}
    </section>
  );
}
