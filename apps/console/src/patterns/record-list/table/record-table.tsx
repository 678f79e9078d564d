import { type CSSProperties, Fragment, useCallback, useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { Listed } from '../../../api/transport/paged-query.ts';
import { type Column, hasTicks, type ListDescription, type Sort } from '../model/list-description.ts';
import type { ListRows } from '../model/use-list-rows.ts';
import type { Ticks } from '../model/use-ticks.ts';
import { ListHeader } from './list-header.tsx';
import { MoreRows } from './more-rows.tsx';
import { RecordRow } from './record-row.tsx';
import classes from './record-table.module.css';
import { SkeletonRows } from './skeleton-rows.tsx';
import { useReturnedFocus } from './use-returned-focus.ts';
import { useRowFocus } from './use-row-focus.ts';
import { useScrollAnchor } from './use-scroll-anchor.ts';
import { useVirtualRows } from './use-virtual-rows.ts';

type RecordTableProps<Row extends Listed> = {
  list: ListDescription<Row>;
  loaded: ListRows<Row>;
  ticks: Ticks<Row>;
  sort: Sort | undefined;
  onSort: (sort: Sort | undefined) => void;
};

/** §9: the distance from the bottom at which the next page is loaded. */
const bottomTolerance = 5;

/** A virtualised grid of rows. */
export function RecordTable<Row extends Listed>({ list, loaded, ticks, sort, onSort }: RecordTableProps<Row>) {
  const { rows } = loaded;
  const { label, columns, actions = [], open } = list;
  const isTickable = hasTicks(list);
  const scroller = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  const { search: listed } = useLocation();
  // A link from a list in a panel to another screen does not keep the search of the list below.
  const search = list.stateIn === 'memory' && !list.opensWithin ? '' : listed;
  const navigate = useNavigate();

  // Stable while only the scroll position changes, so that rows do not render again.
  const handleOpen = useCallback(
    (row: Row) => open && navigate({ pathname: open(row), search }, { preventScrollReset: true }),
    [open, navigate, search],
  );
  const at = (act: (row: Row) => void) => (index: number) => {
    const row = rows[index];
    if (row) act(row);
  };
  const virtual = useVirtualRows(scroller, rows);
  const focus = useRowFocus({
    body,
    count: rows.length,
    scrollTo: virtual.scrollTo,
    onTick: isTickable ? at(ticks.toggle) : undefined,
    onOpen: open && at(handleOpen),
  });
  useReturnedFocus(rows, list.current, focus.focusRow);
  useScrollAnchor(scroller, rows, focus.shiftBy);

  const loadMoreAtBottom = () => {
    const { scrollHeight = 0, scrollTop = 0, clientHeight = 0 } = scroller.current ?? {};
    if (scrollHeight - scrollTop - clientHeight <= bottomTolerance) loaded.loadMore();
  };
  // Rows that do not fill the frame cannot be scrolled, so the next page is loaded at once.
  useEffect(loadMoreAtBottom);

  // A new sort order starts at the first row.
  const order = sort && `${sort.column} ${sort.descending}`;
  useEffect(() => {
    if (scroller.current) scroller.current.scrollTop = 0;
    // oxlint-disable-next-line react/exhaustive-deps -- the effect reacts only to a new order
  }, [order]);

  const tools = actions.length + (open ? 1 : 0);
  const leastWidth = widthWithExtra(columns, isTickable, tools);
  return (
    <div
      ref={scroller}
      className={classes.scroller}
      data-stale={loaded.isStale || undefined}
      onScroll={loadMoreAtBottom}
    >
      <table
        className={classes.table}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- rows get the focus, so this is a grid
        role="grid"
        aria-label={label}
        data-many-tools={actions.length > 1 || undefined}
        style={leastWidth === undefined ? undefined : ({ '--least-width': `${leastWidth}px` } as CSSProperties)}
        aria-busy={loaded.isPending || loaded.isStale}
        aria-rowcount={loaded.isPending || loaded.isMinimum ? -1 : loaded.total + 1}
        aria-multiselectable={isTickable || undefined}
        onKeyDown={focus.handleKeyDown}
        onFocus={focus.handleFocus}
      >
        <ListHeader
          columns={columns}
          sort={sort}
          onSort={onSort}
          ticks={isTickable ? ticks : undefined}
          tools={tools}
        />
        <tbody ref={body}>
          {loaded.isPending && <SkeletonRows columns={columns} withTicks={isTickable} withTools={tools > 0} />}
          {virtual.items(focus.active).map(({ row, index, gap, slot }) => (
            <Fragment key={slot}>
              {gap > 0 && <Gap height={gap} />}
              <RecordRow
                list={list}
                row={row}
                index={index}
                active={index === focus.active}
                ticked={ticks.ids.has(row.id)}
                onTick={ticks.toggle}
                onOpen={handleOpen}
                search={search}
              />
            </Fragment>
          ))}
          {virtual.gapAfter(focus.active) > 0 && <Gap height={virtual.gapAfter(focus.active)} />}
        </tbody>
      </table>
      <MoreRows loading={loaded.isLoadingMore} failed={loaded.moreFailed} onRetry={loaded.retry} />
    </div>
  );
}

/** The least width in which extra columns leave the others readable. On a smaller screen the table then scrolls sideways. */
const widthWithExtra = <Row,>(
  columns: readonly Column<Row>[],
  isTickable: boolean,
  tools: number,
): number | undefined => {
  if (!columns.some(({ extra }) => extra)) return undefined;
  return columns.reduce((sum, { width = 150 }) => sum + width, (isTickable ? 48 : 0) + 24 + tools * 36);
};

type GapProps = { height: number };

/** The space of rows that are not rendered. One cell, because a cell that spans hidden columns would add columns. */
function Gap({ height }: GapProps) {
  return (
    <tr aria-hidden="true" className={classes.gap}>
      <td style={{ height }} aria-label="Rows that are not rendered" />
    </tr>
  );
}
