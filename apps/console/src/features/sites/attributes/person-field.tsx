import { Select } from '@mantine/core';
import type { UserRow } from '@opensocial/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAdminNetwork } from '../../../api/session/admin-network.ts';
import { useSearchText } from '../../../patterns/record-list/model/use-search-text.ts';
import { membersQuery } from './site-attributes.api.ts';

type PersonFieldProps = { onChoose: (person: UserRow | undefined) => void };

/** The choice of a member of the network, for a preview. */
export function PersonField({ onChoose }: PersonFieldProps) {
  const network = useAdminNetwork();
  const [search, setSearch] = useState('');
  const [text, setText] = useSearchText(search, setSearch);
  const { data } = useInfiniteQuery(membersQuery(network, search));
  const found = data?.pages.flatMap(({ rows }) => rows) ?? [];
  const total = data?.pages.at(0)?.total ?? 0;
  const [chosen, setChosen] = useState<UserRow>();
  const options = new Map([...(chosen ? [chosen] : []), ...found].map((person) => [String(person.id), person]));
  const handleChange = (id: string | null) => {
    const person = id === null ? undefined : options.get(id);
    setChosen(person);
    onChoose(person);
  };
  const isPart = found.length < total;
  return (
    <Select
      label="Person"
      description={
        isPart && `${found.length} of ${total.toLocaleString('en')} people are listed. Type a name to find others.`
      }
      placeholder="Search by name or email"
      data={[...options].map(([id, { fullname, email }]) => ({
        value: id,
        label: fullname ? `${fullname} (${email})` : email,
      }))}
      value={chosen ? String(chosen.id) : null}
      onChange={handleChange}
      searchValue={text}
      onSearchChange={setText}
      // The server searches.
      filter={({ options: all }) => all}
      searchable
      nothingFoundMessage="Nobody in this network matches."
      comboboxProps={{ withinPortal: true }}
      data-autofocus
    />
  );
}
