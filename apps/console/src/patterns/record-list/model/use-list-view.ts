import { Moment, searchMinimum } from '@opensocial/contract';
import { useMemo, useState } from 'react';
import { type NavigateOptions, useSearchParams } from 'react-router';
import { isDays } from '../../date-range/days.ts';
import type { Filter, ListView, Sort } from './list-description.ts';

const searchParam = 'search';
const sortParam = 'sort';

/** A search text below the minimum length means the whole list. */
export const effectiveSearch = (typed: string): string => {
  const trimmed = typed.trim();
  return trimmed.length < searchMinimum ? '' : trimmed;
};

/** '-name' sorts by name in descending order. */
const readSort = (value: string | null): Sort | undefined => {
  if (!value) return undefined;
  return value.startsWith('-') ? { column: value.slice(1), descending: true } : { column: value, descending: false };
};

const writeSort = (sort: Sort | undefined): string => (sort ? `${sort.descending ? '-' : ''}${sort.column}` : '');

const withoutKeys = (params: URLSearchParams, keys: readonly string[]): URLSearchParams =>
  new URLSearchParams([...params].filter(([key]) => !keys.includes(key)));

type SetParams = (change: (params: URLSearchParams) => URLSearchParams, options?: NavigateOptions) => void;

/** The address may be written by hand, so unknown values are ignored. */
const isValue = (filter: Filter, value: string): boolean => {
  if ('options' in filter && filter.isOpen !== true) return filter.options.some((option) => option.value === value);
  if (filter.kind === 'since') return Moment.safeParse(value).success;
  return filter.kind === 'range' ? isDays(value) : value.trim() !== '' && value.length <= 200;
};

export const readListView = (params: URLSearchParams, filters: readonly Filter[]): ListView => {
  const chosen = filters.flatMap((filter) => {
    const value = params.get(filter.id);
    return value !== null && isValue(filter, value) ? [[filter.id, value] as const] : [];
  });
  return {
    search: effectiveSearch(params.get(searchParam) ?? ''),
    filters: Object.fromEntries(chosen),
    sort: readSort(params.get(sortParam)),
  };
};

/** Keeps search, filters and sort in the address bar, so that links include them and the back button undoes them. */
export const useListView = (filters: readonly Filter[], stateIn: 'address' | 'memory' = 'address') => {
  const inAddress = useSearchParams();
  const inMemory = useState(() => new URLSearchParams());
  const [params, setParams]: [URLSearchParams, SetParams] = stateIn === 'memory' ? inMemory : inAddress;

  const view = useMemo(() => readListView(params, filters), [params, filters]);

  const change = (name: string, value: string, options: { replace: boolean }) =>
    setParams(
      (current) => {
        const next = new URLSearchParams(current);
        if (value === '') next.delete(name);
        else next.set(name, value);
        return next;
      },
      { ...options, preventScrollReset: true },
    );

  return {
    view,
    // Typing more letters replaces the history entry instead of adding one.
    setSearch: (search: string) => change(searchParam, search, { replace: view.search !== '' && search !== '' }),
    /** Sets all filters at once. Filters without a value are removed. */
    setFilters: (values: Readonly<Record<string, string>>) =>
      setParams(
        (current) => {
          const next = withoutKeys(
            current,
            filters.map(({ id }) => id),
          );
          for (const { id } of filters) if (values[id]?.trim()) next.set(id, values[id].trim());
          return next;
        },
        { preventScrollReset: true },
      ),
    showAll: () => setParams((current) => withoutKeys(current, [searchParam, ...filters.map(({ id }) => id)])),
    setSort: (sort: Sort | undefined) => change(sortParam, writeSort(sort), { replace: true }),
  };
};
