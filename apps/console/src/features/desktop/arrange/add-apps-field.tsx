import { MultiSelect } from '@mantine/core';
import '@mantine/core/styles/Pill.layer.css';
import '@mantine/core/styles/PillsInput.layer.css';
import { type DesktopApp, maximumSectionApps } from '@opensocial/contract';
import { useState } from 'react';
import classes from './arrange-dialog.module.css';
import type { SectionDraft } from './section-drafts.ts';
import type { SectionEditing } from './use-section-drafts.ts';

type AddAppsFieldProps = {
  draft: SectionDraft;
  title: string;
  apps: readonly DesktopApp[];
  editing: SectionEditing;
};

/** The number of options that are listed at once. The others are found by typing. */
const listed = 100;

/** Adds apps one after the other: those in no section first, then those of the other sections. */
export function AddAppsField({ draft, title, apps, editing }: AddAppsFieldProps) {
  const [search, setSearch] = useState('');
  const sectionOf = new Map(editing.drafts.flatMap(({ key, apps: ids }) => ids.map((id) => [id, key] as const)));
  const optionsOf = (key: string | undefined) =>
    apps.filter(({ id }) => sectionOf.get(id) === key).map(({ id, name }) => ({ value: String(id), label: name }));
  const groups = [
    { group: 'In no section', items: optionsOf(undefined) },
    ...editing.drafts
      .filter(({ key }) => key !== draft.key)
      .map(({ key, name }) => ({ group: `Move from ${name}`, items: optionsOf(key) })),
  ].filter(({ items }) => items.length > 0);
  const isFull = draft.apps.length >= maximumSectionApps;
  const count = groups.reduce((sum, { items }) => sum + items.length, 0);
  if (count === 0) return <p>All apps are in this section.</p>;
  return (
    <MultiSelect
      label="Add apps"
      aria-label={`Add apps to ${title}`}
      description={
        isFull
          ? `A section can have at most ${maximumSectionApps} apps.`
          : count > listed && `Type a name to find one of ${count.toLocaleString('en')} apps.`
      }
      placeholder="Choose apps"
      classNames={{ inputField: classes.adds, pillsList: classes.adder }}
      data-adds
      // The chosen apps are in the list above.
      value={[]}
      onChange={([id]) => id !== undefined && editing.addApp(draft.key, Number(id))}
      searchValue={search}
      onSearchChange={setSearch}
      data={groups}
      limit={listed}
      disabled={isFull}
      // The scrolling dialog would cut the list off.
      comboboxProps={{ withinPortal: true }}
      searchable
      nothingFoundMessage="No app with this name"
    />
  );
}
