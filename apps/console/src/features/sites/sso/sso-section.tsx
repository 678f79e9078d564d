import { type ReactNode, useId } from 'react';
import formClasses from '../../../patterns/form/form.module.css';

type SsoSectionProps = { title: string; children: ReactNode };

/** A part of the Single sign-on tab. */
export function SsoSection({ title, children }: SsoSectionProps) {
  const headingId = useId();
  return (
    <section className={formClasses.form} aria-labelledby={headingId}>
      <h3 id={headingId} className={formClasses.heading}>
        {title}
      </h3>
      {children}
    </section>
  );
}
