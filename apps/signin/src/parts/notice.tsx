import type { ReactNode } from 'react';
import { AlertIcon } from './alert-icon.tsx';

type NoticeProps = { title: string; children: ReactNode };

/** Information that does not prevent signing in. */
export function Notice({ title, children }: NoticeProps) {
  return (
    <section className="notice notice-warn" aria-label={title || 'Announcement'}>
      {title && <h2 dir="auto">{title}</h2>}
      {children}
    </section>
  );
}

type RefusalProps = { id: string; children: string };

export function Refusal({ id, children }: RefusalProps) {
  return (
    <div className="notice notice-bad" role="alert">
      <AlertIcon />
      <p id={id}>{children}</p>
    </div>
  );
}
