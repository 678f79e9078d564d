import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import type { Listed } from '../../api/transport/paged-query.ts';
import { ErrorPanel } from '../error-panel/error-panel.tsx';
import { formatNumber } from '../format/format.ts';
import { formatTotal } from '../format/format-total.ts';
import { PermissionNotice } from '../permission-denied/permission-denied.tsx';
import { ListBar } from './bar/list-bar.tsx';
import { EmptyList } from './empty-list.tsx';
import type { Column, Filter, ListDescription, ListView } from './model/list-description.ts';
import { useColumnChoice } from './model/use-column-choice.ts';
import { useListRows } from './model/use-list-rows.ts';
import { useListView } from './model/use-list-view.ts';
import { useTicks } from './model/use-ticks.ts';
import classes from './record-list.module.css';
import { RecordTable } from './table/record-table.tsx';

type RecordListProps<Row extends Listed> = ListDescription<Row>;

const noFilters: readonly Filter[] = [];

/** The address may be written by hand, so only sortable columns count. */
const withSortOf = <Row,>(columns: readonly Column<Row>[], { sort, ...view }: ListView): ListView => ({
  ...view,
  sort: columns.some(({ id, sortable }) => sortable && id === sort?.column) ? sort : undefined,
});

/** A list of the console, described by data. All lists behave the same (§4, Lists). */
export function RecordList<Row extends Listed>(list: RecordListProps<Row>) {
  const { filters = noFilters, bulk = [], onTicked } = list;
  const { columns, choice } = useColumnChoice(list.columns, list.columnsStoredAs);
  // Stable while more rows load, so that rows do not render again.
  const shown = useMemo(() => ({ ...list, columns }), [list, columns]);
  const { view: wanted, setSearch, setFilters, setSort, showAll } = useListView(filters, list.stateIn);
  const view = useMemo(() => withSortOf(columns, wanted), [columns, wanted]);
  const loaded = useListRows(list.query(view));
  const client = useQueryClient();
  /** §4: a new search or filter is loaded from the server, even if the same result is cached. */
  const forget = (changes: Partial<ListView>) =>
    client.removeQueries({ queryKey: list.query({ ...view, ...changes }).queryKey, exact: true, type: 'inactive' });
  const handleSearch = (search: string) => {
    forget({ search });
    setSearch(search);
  };
  const handleFilters = (values: Readonly<Record<string, string>>) => {
    const chosen = Object.entries(values).filter(([, value]) => value.trim() !== '');
    forget({ filters: Object.fromEntries(chosen.map(([id, value]) => [id, value.trim()])) });
    setFilters(values);
  };
  const handleShowAll = () => {
    forget({ search: '', filters: {} });
    showAll();
  };
  const { rows } = loaded;
  const scope = JSON.stringify([view.search, view.filters]);
  const ticks = useTicks(rows, scope);
  useEffect(() => onTicked?.(ticks.ticked), [onTicked, ticks.ticked]);

  const frame = useRef<HTMLDivElement>(null);
  const focusActiveRow = () => frame.current?.querySelector<HTMLElement>('tr[tabindex="0"]')?.focus();
  const isEmpty = !loaded.isPending && !loaded.isError && rows.length === 0 && !loaded.hasMore;
  return (
    <>
      <ListBar
        label={list.label}
        view={view}
        filters={filters}
        bulk={bulk}
        ticked={ticks.ticked}
        count={
          loaded.isPending || loaded.isError ? undefined : list.count(formatNumber(rows.length), formatTotal(loaded))
        }
        loading={loaded.isPending || loaded.isStale}
        onSearch={handleSearch}
        onFilter={handleFilters}
        onArrowDown={focusActiveRow}
        columnChoice={choice}
        tools={list.tools}
      />
      <div ref={frame} className={classes.frame} data-filled={!isEmpty && !loaded.isError}>
        {loaded.isError &&
          (loaded.isForbidden ? (
            <PermissionNotice />
          ) : (
            <ErrorPanel onRetry={loaded.retry} retrying={loaded.isRetrying} />
          ))}
        {isEmpty && (
          <EmptyList
            text={list.emptyText ?? 'There is no record in database'}
            hint={list.emptyHint}
            search={view.search}
            filtered={Object.keys(view.filters).length > 0}
            onShowAll={handleShowAll}
          />
        )}
        {!loaded.isError && !isEmpty && (
          <RecordTable key={scope} list={shown} loaded={loaded} ticks={ticks} sort={view.sort} onSort={setSort} />
        )}
      </div>
      <p className="visually-hidden" role="status">
        {loaded.isPending && `Loading ${list.label}`}
      </p>
    </>
  );
}
