import type { ReactNode } from 'react';
import classes from './profile-row.module.css';

type ProfileListProps = { label: string; children: ReactNode };

export function ProfileList({ label, children }: ProfileListProps) {
  return (
    <ul className={classes.list} aria-label={label}>
      {children}
    </ul>
  );
}

type ProfileRowProps = {
  icon: ReactNode;
  name: ReactNode;
  /** Each in an element of its own. */
  facts: ReactNode;
  /** What can be done to it. */
  children?: ReactNode;
};

/** One of several things that an account has: a browser, a passkey, another login. */
export function ProfileRow({ icon, name, facts, children }: ProfileRowProps) {
  return (
    <li className={classes.row}>
      <span className={classes.plate} aria-hidden="true">
        {icon}
      </span>
      <div>
        <p className={classes.name}>{name}</p>
        <p className={classes.facts}>{facts}</p>
      </div>
      {children && <div className={classes.actions}>{children}</div>}
    </li>
  );
}
