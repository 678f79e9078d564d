import { type ReactNode, useId } from 'react';
import classes from './settings-section.module.css';

type SettingsSectionProps = { title: string; description: string; children: ReactNode };

/** A section of the settings: title and description on the left, fields on the right. */
export function SettingsSection({ title, description, children }: SettingsSectionProps) {
  const titleId = useId();
  return (
    <section className={classes.section} aria-labelledby={titleId}>
      <div>
        <h2 id={titleId} className={classes.title}>
          {title}
        </h2>
        <p className={classes.description}>{description}</p>
      </div>
      <div className={classes.fields}>{children}</div>
    </section>
  );
}
