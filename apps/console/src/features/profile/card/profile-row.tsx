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
  /** The facts of the row, each in its own element. */
  facts: ReactNode;
  /** The buttons of the row. */
  children?: ReactNode;
};

/** A row for a browser, a passkey or a login of the account. */
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
