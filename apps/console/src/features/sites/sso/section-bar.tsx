import type { ReactNode } from 'react';
import formClasses from '../../../patterns/form/form.module.css';
import classes from './section-bar.module.css';

type SectionBarProps = {
  text: string;
  /** Whether screen readers announce the text when it changes. */
  isStatus?: boolean;
  /** The button. */
  children?: ReactNode;
};

/** What a section of the Single sign-on tab is for, with the button that starts it. */
export function SectionBar({ text, isStatus = false, children }: SectionBarProps) {
  return (
    <div className={classes.bar}>
      <p className={`${formClasses.hint} ${classes.text}`} {...(isStatus && { role: 'status' })}>
        {text}
      </p>
      {children}
    </div>
  );
}
