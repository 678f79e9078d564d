import { type ReactNode, useId } from 'react';
import classes from './profile-card.module.css';

type ProfileCardProps = { title: string; description?: ReactNode; aside?: ReactNode; children: ReactNode };

/** A card of the profile page with a title, a description and its content. */
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
