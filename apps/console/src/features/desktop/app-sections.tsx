import { IconChevronDown } from '@tabler/icons-react';
import { type ComponentProps, type KeyboardEvent, type Ref, useId } from 'react';
import { elementBeside } from '../../patterns/arrow-keys/element-beside.ts';
import { AppGrid } from './app-grid.tsx';
import classes from './app-sections.module.css';
import type { Favourites } from './favourite-star.tsx';
import type { Section } from './sections.ts';

type AppSectionsProps = {
  ref?: Ref<HTMLDivElement>;
  sections: readonly Section[];
  favourites: Favourites | undefined;
  /** Highlights the tile that Enter opens from the search field. */
  marksFirst: boolean;
  onCollapse: (choice: { id: number; collapsed: boolean }) => void;
};

/** The arrow keys move between the tiles of all sections. */
export function AppSections({ ref, sections, ...section }: AppSectionsProps) {
  const handleKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const tiles = [...event.currentTarget.querySelectorAll('a')];
    const next = elementBeside(tiles, document.activeElement, event.key);
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the links in it get the focus themselves
    <div ref={ref} className={classes.sections} onKeyDown={handleKeyDown}>
      {sections.map(({ key, title, own, apps }) => (
        <AppSection
          key={key}
          title={title}
          own={own}
          isAlone={sections.length === 1 && !own}
          apps={apps}
          isFavourites={!own && title === 'Favourites'}
          {...section}
        />
      ))}
    </div>
  );
}

type AppSectionProps = Omit<ComponentProps<typeof AppGrid>, 'label'> &
  Pick<AppSectionsProps, 'onCollapse'> & {
    title: string;
    own: Section['own'];
    isAlone: boolean;
  };

/** The elements are the same with and without a heading, so that the focus stays in its place when the first favourite is added. */
function AppSection({ title, own, isAlone, onCollapse, ...grid }: AppSectionProps) {
  const headingId = useId();
  return (
    <section aria-labelledby={isAlone ? undefined : headingId}>
      {!isAlone && (
        <h2 id={headingId} className={classes.heading} data-collapsed={own?.isCollapsed}>
          {own ? (
            <button
              type="button"
              className={classes.fold}
              aria-expanded={!own.isCollapsed}
              onClick={() => onCollapse({ id: own.id, collapsed: !own.isCollapsed })}
            >
              {title}
              <IconChevronDown className={classes.arrow} size={17} stroke={2} aria-hidden="true" />
            </button>
          ) : (
            title
          )}
        </h2>
      )}
      {!own?.isCollapsed && own && grid.apps.length === 0 && (
        <p className={classes.empty}>There are no apps in this section. Press Arrange to add some.</p>
      )}
      {!own?.isCollapsed && grid.apps.length > 0 && <AppGrid label={isAlone ? 'Apps' : title} {...grid} />}
    </section>
  );
}
