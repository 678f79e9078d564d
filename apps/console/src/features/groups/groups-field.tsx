import { Button, MultiSelect } from '@mantine/core';
import '@mantine/core/styles/Pill.layer.css';
import '@mantine/core/styles/PillsInput.layer.css';
import type { Group } from '@opensocial/contract';
import { IconPlus } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { totalOf } from '../../api/transport/paged-query.ts';
import { formatTotal } from '../../patterns/format/format-total.ts';
import { useSearchText } from '../../patterns/record-list/model/use-search-text.ts';
import { groupsQuery } from './groups.api.ts';
import classes from './groups-field.module.css';

const AddGroupModal = lazy(async () => ({ default: (await import('./add-group-modal.tsx')).AddGroupModal }));

type GroupsFieldProps = {
  /** The ids of the chosen groups. */
  value: readonly string[];
  onChange: (ids: string[]) => void;
};

/** A field to choose groups of the network. It lists the first page of groups and searches on the server while the user types. */
export function GroupsField({ value, onChange }: GroupsFieldProps) {
  const network = useAdminNetwork();
  const [search, setSearch] = useState('');
  const [text, setText] = useSearchText(search, setSearch);
  const [isAdding, setIsAdding] = useState(false);
  const { data } = useInfiniteQuery(groupsQuery(network, search));
  const found = data?.pages.flatMap(({ rows }) => rows) ?? [];
  const all = totalOf(data?.pages ?? []);
  // The options must include the chosen groups, also those that the current search does not find.
  const [chosen, setChosen] = useState<readonly Group[]>([]);
  const options = new Map([...chosen, ...found].map((group) => [String(group.id), group]));
  const handleChange = (ids: string[]) => {
    setChosen(ids.flatMap((id) => options.get(id) ?? []));
    onChange(ids);
  };
  const handleAdded = (group: Group) => {
    setChosen([...chosen, group]);
    onChange([...value, String(group.id)]);
  };
  const hasNone = data !== undefined && search === '' && all.total === 0;
  return (
    <>
      <MultiSelect
        label="Groups"
        description={
          (all.isMinimum || found.length < all.total) &&
          `${found.length} of ${formatTotal(all)} groups are listed. Type a name to find others.`
        }
        placeholder={value.length === 0 ? 'None' : ''}
        value={[...value]}
        onChange={handleChange}
        searchValue={text}
        onSearchChange={setText}
        data={[...options].map(([id, { name }]) => ({ value: id, label: name }))}
        // Inside the panel in the DOM, so that screen readers find it there.
        comboboxProps={{ withinPortal: false }}
        searchable
        clearable
        nothingFoundMessage={text.trim() === '' ? 'There are no groups yet' : 'No group with this name'}
      />
      {hasNone && (
        <Button
          variant="default"
          className={classes.add}
          leftSection={<IconPlus size={17} />}
          onClick={() => setIsAdding(true)}
        >
          Add New Group
        </Button>
      )}
      <Suspense>{isAdding && <AddGroupModal onClose={() => setIsAdding(false)} onAdded={handleAdded} />}</Suspense>
    </>
  );
}
