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
};

/** The arrow keys move between the tiles of all sections. */
export function AppSections({ ref, sections, favourites, marksFirst }: AppSectionsProps) {
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
      {sections.map(({ title, apps }) => (
        <AppSection
          key={title}
          title={title}
          isAlone={sections.length === 1}
          apps={apps}
          favourites={favourites}
          marksFirst={marksFirst}
        />
      ))}
    </div>
  );
}

type AppSectionProps = Omit<ComponentProps<typeof AppGrid>, 'label' | 'isFavourites'> & {
  title: Section['title'];
  isAlone: boolean;
};

/** The elements are the same with and without a heading, so that the focus stays in its place when the first favourite is added. */
function AppSection({ title, isAlone, ...grid }: AppSectionProps) {
  const headingId = useId();
  return (
    <section aria-labelledby={isAlone ? undefined : headingId}>
      {!isAlone && (
        <h2 id={headingId} className={classes.heading}>
          {title}
        </h2>
      )}
      <AppGrid label={isAlone ? 'Apps' : title} isFavourites={title === 'Favourites'} {...grid} />
    </section>
  );
}
