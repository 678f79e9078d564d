import { type ReactNode, useId } from 'react';
import classes from './settings-section.module.css';
import { type SettingsSectionId, settingsSections } from './settings-sections.ts';

type SettingsSectionProps = {
  id: SettingsSectionId;
  description: string;
  /** For sections that do not wait for the button at the end of the page. */
  savesAtOnce?: string;
  children: ReactNode;
};

/** A section of the settings: title and description above the fields. */
export function SettingsSection({ id, description, savesAtOnce, children }: SettingsSectionProps) {
  const titleId = useId();
  return (
    <section id={id} className={classes.section} aria-labelledby={titleId}>
      <header className={classes.header}>
        <h2 id={titleId} className={classes.title} tabIndex={-1}>
          {settingsSections[id]}
        </h2>
        <p className={classes.description}>{description}</p>
        {savesAtOnce && <p className={classes.atOnce}>{savesAtOnce}</p>}
      </header>
      <div className={classes.fields}>{children}</div>
    </section>
  );
}
