import { Select, type SelectProps } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Listed, type PagedQuery, totalOf } from '../../api/transport/paged-query.ts';
import { formatTotal } from '../format/format-total.ts';
import { useSearchText } from '../record-list/model/use-search-text.ts';

type RecordSelectProps<Row extends Listed> = Pick<SelectProps, 'label' | 'placeholder'> & {
  /** The rows that match a search. The server searches. */
  query: (search: string) => PagedQuery<Row>;
  labelOf: (row: Row) => string;
  /** The word for the rows, for example 'people'. */
  noun: string;
  nothingFound: string;
  /** The chosen row. It may be one that the search does not find. */
  chosen: { id: number; label: string } | undefined;
  onChoose: (row: Row | undefined) => void;
  autoFocus?: boolean;
  /** Whether the choice can be removed. */
  clearable?: boolean;
};

/** The choice of one record from a list that may be too long to load. */
export function RecordSelect<Row extends Listed>(props: RecordSelectProps<Row>) {
  const {
    label,
    placeholder,
    query,
    labelOf,
    noun,
    nothingFound,
    chosen,
    onChoose,
    autoFocus = false,
    clearable = false,
  } = props;
  const [search, setSearch] = useState('');
  const [text, setText] = useSearchText(search, setSearch);
  // The field shows the name of the chosen row, which is not a search.
  const isSearching = search !== '' && search !== chosen?.label;
  const { data } = useInfiniteQuery(query(isSearching ? search : ''));
  const found = data?.pages.flatMap(({ rows }) => rows) ?? [];
  const inAll = totalOf(data?.pages ?? []);
  const options = new Map([
    ...(chosen ? [[String(chosen.id), chosen.label] as const] : []),
    ...found.map((row) => [String(row.id), labelOf(row)] as const),
  ]);
  const ids = new Set(found.map(({ id }) => String(id)));
  const isPart = inAll.isMinimum || found.length < inAll.total;
  return (
    <Select
      label={label}
      description={isPart && `${found.length} of ${formatTotal(inAll)} ${noun} are listed. Type a name to find others.`}
      placeholder={placeholder ?? ''}
      data={[...options].map(([value, option]) => ({ value, label: option }))}
      value={chosen ? String(chosen.id) : null}
      onChange={(id) => onChoose(found.find((row) => String(row.id) === id))}
      searchValue={text}
      onSearchChange={setText}
      // The server searches. The chosen row is listed without a search only, because it may not match.
      filter={({ options: all }) =>
        isSearching ? all.filter((option) => !('value' in option) || ids.has(option.value)) : all
      }
      searchable
      clearable={clearable}
      nothingFoundMessage={nothingFound}
      comboboxProps={{ withinPortal: true }}
      {...(autoFocus && { 'data-autofocus': true })}
    />
  );
}
