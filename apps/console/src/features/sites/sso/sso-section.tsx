import { type ReactNode, useId, useRef } from 'react';
import formClasses from '../../../patterns/form/form.module.css';
import { useAnchor } from './use-anchor.ts';

type SsoSectionProps = {
  title: string;
  /** The name of the section in an address that leads to it. */
  anchor?: string;
  children: ReactNode;
};

/** A part of the Single sign-on tab. */
export function SsoSection({ title, anchor, children }: SsoSectionProps) {
  const headingId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useAnchor(heading, anchor);
  return (
    <section className={formClasses.form} aria-labelledby={headingId}>
      <h3 id={headingId} ref={heading} className={formClasses.heading} {...(anchor && { tabIndex: -1 })}>
        {title}
      </h3>
      {children}
    </section>
  );
}
