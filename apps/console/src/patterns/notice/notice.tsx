import type { ReactNode } from 'react';
import classes from './notice.module.css';

type NoticeProps = {
  icon: ReactNode;
  title: ReactNode;
  tone?: 'calm' | 'bad' | 'good';
  role?: 'alert' | 'status';
  action?: ReactNode;
  /** The sentence below the title: what to do next. */
  children?: ReactNode;
};

/** A message in place of content that is empty, failed or done. */
export function Notice({ icon, title, tone = 'calm', role, action, children }: NoticeProps) {
  return (
    <div className={classes.notice} role={role} data-tone={tone}>
      <span className={classes.icon} aria-hidden="true">
        {icon}
      </span>
      <p className={classes.title}>{title}</p>
      {children && <p className={classes.detail}>{children}</p>}
      {action && <div className={classes.action}>{action}</div>}
    </div>
  );
}
