import { Select } from '@mantine/core';
import { FontType } from '@opensocial/contract';
import { useQuery } from '@tanstack/react-query';
import { LibraryCount } from '../../patterns/library-modal/library-modal.tsx';
import { useSearchText } from '../../patterns/record-list/model/use-search-text.ts';
import { SearchField } from '../../patterns/search-field/search-field.tsx';
import classes from './icon-bar.module.css';
import { type IconView, iconCategoriesQuery } from './icons.api.ts';

type IconBarProps = { view: IconView; onChange: (view: IconView) => void; count: string | undefined };

const styles = [undefined, ...FontType.options] as const;

const everyCategory = { value: '', label: 'All categories' };

/** Font styles, categories, search and count. */
export function IconBar({ view, onChange, count }: IconBarProps) {
  const [text, setText] = useSearchText(view.search, (search) => onChange({ ...view, search }));
  const { data } = useQuery(iconCategoriesQuery);
  const categories = data?.categories.map(({ name, label }) => ({ value: name, label })) ?? [];
  return (
    <>
      <SearchField label="Search icons" value={text} onChange={setText} />
      <Select
        className={classes.categories ?? ''}
        aria-label="Category"
        data={[everyCategory, ...categories]}
        value={view.category ?? everyCategory.value}
        allowDeselect={false}
        searchable
        nothingFoundMessage="No category with this name"
        maxDropdownHeight={320}
        // Typing replaces the chosen category.
        onFocus={(event) => event.currentTarget.select()}
        onChange={(category) => onChange({ ...view, category: category || undefined })}
      />
      <LibraryCount>{count}</LibraryCount>
      <fieldset className={classes.styles}>
        <legend className="visually-hidden">Font style</legend>
        {styles.map((style) => (
          <label key={style ?? ''} className={classes.style}>
            <input
              type="radio"
              name="font-style"
              className="visually-hidden"
              checked={view.style === style}
              onChange={() => onChange({ ...view, style })}
            />
            {style ?? 'All Fonts'}
          </label>
        ))}
      </fieldset>
    </>
  );
}
