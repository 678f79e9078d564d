import { type MouseEvent, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import classes from './settings-nav.module.css';
import { type SettingsSectionId, sectionIds, settingsSections } from './settings-sections.ts';
import { useVisibleSection } from './use-visible-section.ts';

/** Links to the sections of the settings: beside them, or in a row above them on narrow screens. */
export function SettingsNav() {
  const { visible, follow } = useVisibleSection(sectionIds);
  const { hash } = useLocation();
  const list = useRef<HTMLUListElement>(null);
  const lastHash = useRef(hash);
  useEffect(() => {
    const row = list.current;
    const link = row?.querySelector<HTMLElement>(`[href="#${visible}"]`);
    // Only the row is scrolled: scrollIntoView would also move the page.
    if (row && link) row.scrollTo({ left: link.offsetLeft - row.offsetLeft - 16 });
  }, [visible]);
  useEffect(() => {
    const wasAtSection = lastHash.current !== '';
    lastHash.current = hash;
    // The link in the menu leads from a section to the beginning of the page.
    if (hash === '' && wasAtSection && sectionIds[0]) follow(sectionIds[0]);
    const id = hash.slice(1) as SettingsSectionId;
    if (!sectionIds.includes(id)) return;
    document.getElementById(id)?.scrollIntoView();
    follow(id);
  }, [hash, follow]);
  return (
    <nav className={classes.nav} aria-label="Sections of the settings">
      <ul ref={list} className={classes.list}>
        {sectionIds.map((id) => (
          <li key={id}>
            <a
              className={classes.link}
              href={`#${id}`}
              {...(id === visible && { 'aria-current': 'location' })}
              onClick={(event) => {
                goTo(event, id);
                follow(id);
              }}
            >
              {settingsSections[id]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Moves the view and the focus. The address stays as it is, so that "back" leaves the page. */
const goTo = (event: MouseEvent, id: SettingsSectionId): void => {
  event.preventDefault();
  const section = document.getElementById(id);
  section?.scrollIntoView();
  section?.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true });
};
