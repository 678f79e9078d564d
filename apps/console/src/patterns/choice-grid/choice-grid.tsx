import { IconCheck } from '@tabler/icons-react';
import { memo, type ReactNode, useEffect, useRef } from 'react';
import type { Listed } from '../../api/transport/paged-query.ts';
import type { ListRows } from '../record-list/model/use-list-rows.ts';
import { MoreRows } from '../record-list/table/more-rows.tsx';
import classes from './choice-grid.module.css';
import { type Cell, useGridLayout } from './use-grid-layout.ts';
import { useItemFocus } from './use-item-focus.ts';

type ChoiceGridProps<Item extends Listed> = {
  /** The accessible name of the grid. */
  label: string;
  loaded: ListRows<Item>;
  cell: Cell;
  nameOf: (item: Item) => string;
  /** The id of the selected item. */
  selected: number | undefined;
  onSelect: (item: Item) => void;
  /** Called on a double click, which selects and confirms the item. */
  onConfirm: (item: Item) => void;
  face: (item: Item) => ReactNode;
};

/** §9: the distance from the bottom at which the next page is loaded. */
const bottomTolerance = 5;

const placeholders = Array.from({ length: 24 }, (_, index) => index);

/** A virtualised grid to choose one of many items. More items are loaded at the bottom. */
export function ChoiceGrid<Item extends Listed>(props: ChoiceGridProps<Item>) {
  const { label, loaded, cell, selected, nameOf, onSelect, onConfirm, face } = props;
  const { rows: items, total, loadMore } = loaded;
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const start = items.findIndex(({ id }) => id === selected);
  const focus = useItemFocus({ list, count: items.length, start });
  const layout = useGridLayout({ scroller, list, count: items.length, cell, focused: focus.active });

  const loadMoreAtBottom = () => {
    const { scrollHeight = 0, scrollTop = 0, clientHeight = 0 } = scroller.current ?? {};
    if (clientHeight > 0 && scrollHeight - scrollTop - clientHeight <= bottomTolerance) loadMore();
  };
  // Items that do not fill the frame cannot be scrolled, so the next page is loaded at once.
  useEffect(loadMoreAtBottom);

  // Scrolls to the item in use when the library opens.
  const isShown = items.length > 0 && layout.isMeasured;
  useEffect(() => {
    if (isShown && start > 0) layout.scrollTo(start);
    // oxlint-disable-next-line react/exhaustive-deps -- only when the grid opens, never while the user scrolls
  }, [isShown]);

  const columns = { gridTemplateColumns: `repeat(${layout.columns}, minmax(0, 1fr))`, gap: cell.gap };
  return (
    <div
      ref={scroller}
      className={classes.scroller}
      data-stale={loaded.isStale || undefined}
      onScroll={loadMoreAtBottom}
    >
      <div
        ref={list}
        className={classes.list}
        role="listbox"
        tabIndex={-1}
        aria-label={label}
        aria-busy={loaded.isPending || loaded.isStale}
        style={{ height: loaded.isPending ? undefined : layout.height }}
        onKeyDown={(event) => focus.handleKeyDown(event, layout.columns, layout.scrollTo)}
      >
        {loaded.isPending && (
          <div className={classes.row} style={columns} aria-hidden="true">
            {placeholders.map((index) => (
              <span key={index} className={classes.placeholder} style={{ height: layout.rowHeight }} />
            ))}
          </div>
        )}
        {layout.rows.map(({ start: top, first }) => (
          <div
            key={first}
            className={classes.row}
            role="presentation"
            data-placed
            style={{ ...columns, height: layout.rowHeight, translate: `0 ${top}px` }}
          >
            {items.slice(first, first + layout.columns).map((item, offset) => (
              <Choice
                key={item.id}
                item={item}
                index={first + offset}
                total={total}
                name={nameOf(item)}
                active={first + offset === focus.active}
                selected={item.id === selected}
                face={face}
                onFocus={focus.setActive}
                onSelect={onSelect}
                onConfirm={onConfirm}
              />
            ))}
          </div>
        ))}
      </div>
      <p className="visually-hidden" role="status">
        {loaded.isPending && `Loading ${label}`}
      </p>
      <MoreRows loading={loaded.isLoadingMore} failed={loaded.moreFailed} onRetry={loaded.retry} />
    </div>
  );
}

type ChoiceProps<Item> = {
  item: Item;
  index: number;
  total: number;
  name: string;
  active: boolean;
  selected: boolean;
  face: (item: Item) => ReactNode;
  onFocus: (index: number) => void;
  onSelect: (item: Item) => void;
  onConfirm: (item: Item) => void;
};

function PlainChoice<Item>(props: ChoiceProps<Item>) {
  const { item, index, total, name, active, selected, face, onFocus, onSelect, onConfirm } = props;
  return (
    <button
      type="button"
      role="option"
      className={classes.choice}
      aria-selected={selected}
      aria-posinset={index + 1}
      aria-setsize={total}
      aria-label={name}
      title={name}
      data-index={index}
      tabIndex={active ? 0 : -1}
      onFocus={() => onFocus(index)}
      onClick={() => onSelect(item)}
      onDoubleClick={() => onConfirm(item)}
    >
      {face(item)}
      {selected && (
        <span className={classes.check} aria-hidden="true">
          <IconCheck size={14} stroke={3} />
        </span>
      )}
    </button>
  );
}

/** Memoised: an item renders again only when its own props change, not on scroll. */
const Choice = memo(PlainChoice) as typeof PlainChoice;
