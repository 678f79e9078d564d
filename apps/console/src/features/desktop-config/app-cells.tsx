import { useDroppable } from '@dnd-kit/core';
import { useMergedRef } from '@mantine/hooks';
import type { ConfiguredApp } from '@opensocial/contract';
import { type KeyboardEvent, type ReactNode, type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import { type Cell, useGridLayout } from '../../patterns/choice-grid/use-grid-layout.ts';
import { useItemFocus } from '../../patterns/choice-grid/use-item-focus.ts';
import { useReturnedFocus } from '../../patterns/record-list/table/use-returned-focus.ts';
import classes from './app-cells.module.css';
import type { Place } from './arrangement.ts';
import type { Point } from './use-pointer.ts';

/** The geometry of the cells, for dragging. */
export type CellsHandle = {
  columns: () => number;
  /** Whether a point of the window is inside the list. */
  contains: (point: Point) => boolean;
  /** The index of the cell at a point of the window. */
  indexAt: (point: Point) => number;
  /** The corner of a cell in the window. The cell is scrolled into view. */
  cornerOf: (index: number) => Point;
  focusFirst: () => void;
};

/** The position of a cell in the list, with its focus handling. */
export type CellPlace = { index: number; tabIndex: 0 | -1; onFocus: () => void; onRemoved: () => void };

type AppCellsProps = {
  list: Place['list'];
  label: string;
  apps: readonly ConfiguredApp[];
  cell: Cell;
  /** The id of the dragged app. */
  dragged: number | undefined;
  /** The id of the app whose panel is open. */
  opened?: number | undefined;
  handle: Ref<CellsHandle>;
  /** Shown if the list is empty. */
  empty: ReactNode;
  children: (app: ConfiguredApp, place: CellPlace) => ReactNode;
};

/** A virtualised grid of apps. It is one tab stop (roving tabindex); arrow keys move between the apps. */
export function AppCells({ list: name, label, apps, cell, dragged, opened, handle, empty, children }: AppCellsProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const { setNodeRef } = useDroppable({ id: name });
  const focus = useItemFocus({ list, count: apps.length, start: 0 });
  const layout = useGridLayout({ scroller, list, count: apps.length, cell, focused: focus.active });
  const { columns, rowHeight, scrollTo } = layout;
  useReturnedFocus(apps, opened, (index) => focus.focusItem(index, scrollTo));
  const markRemoved = useFocusAfterRemoval(apps, (index) => {
    if (apps.length > 0) focus.focusItem(index, scrollTo);
    else scroller.current?.focus();
  });

  useImperativeHandle(handle, () => {
    const boxOf = () => list.current?.getBoundingClientRect() ?? new DOMRect();
    const step = (width: number) => (width + cell.gap) / columns;
    return {
      columns: () => columns,
      contains: ({ x, y }) => {
        const { left, right, top, bottom } = scroller.current?.getBoundingClientRect() ?? new DOMRect();
        return x >= left && x <= right && y >= top && y <= bottom;
      },
      indexAt: ({ x, y }) => {
        const { left, top, width } = boxOf();
        const column = Math.min(Math.max(Math.floor((x - left) / step(width)), 0), columns - 1);
        return Math.max(Math.floor((y - top) / (rowHeight + cell.gap)), 0) * columns + column;
      },
      cornerOf: (index) => {
        scrollTo(index);
        const { left, top, width } = boxOf();
        const row = Math.floor(index / columns);
        return { x: left + (index % columns) * step(width), y: top + row * (rowHeight + cell.gap) };
      },
      focusFirst: () => apps.length > 0 && focus.focusItem(0, scrollTo),
    };
  });

  const handleKeyDown = (event: KeyboardEvent) => {
    // During a keyboard drag the arrow keys move the app instead.
    if (dragged === undefined) focus.handleKeyDown(event, columns, scrollTo);
  };
  const width = `calc((100% - ${(columns - 1) * cell.gap}px) / ${columns})`;
  // Safari drops the list role from a list without bullets, so it is explicit. The arrow keys move between the buttons.
  /* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-noninteractive-element-interactions -- as said above */
  return (
    <div ref={scroller} className={classes.scroller} tabIndex={-1}>
      <ul
        ref={useMergedRef(list, setNodeRef)}
        className={classes.list}
        role="list"
        aria-label={label}
        style={{ height: layout.height }}
        onKeyDown={handleKeyDown}
      >
        {layout.rows.flatMap(({ start, first }) =>
          apps.slice(first, first + columns).map((app, column) => {
            const index = first + column;
            return (
              <li
                key={app.id}
                className={classes.cell}
                aria-posinset={index + 1}
                aria-setsize={apps.length}
                data-dragged={app.id === dragged || undefined}
                style={{ width, height: rowHeight, translate: `calc(${column} * (100% + ${cell.gap}px)) ${start}px` }}
              >
                {children(app, {
                  index,
                  tabIndex: index === focus.active ? 0 : -1,
                  onFocus: () => focus.setActive(index),
                  onRemoved: () => markRemoved(app.id, index),
                })}
              </li>
            );
          }),
        )}
      </ul>
      {apps.length === 0 && empty}
    </div>
  );
  /* oxlint-enable */
}

/** The remove button disappears with its app, so the focus moves to the same index of the list. */
const useFocusAfterRemoval = (apps: readonly ConfiguredApp[], focusAt: (index: number) => void) => {
  const removed = useRef<{ id: number; index: number }>(undefined);
  useEffect(() => {
    const gone = removed.current;
    if (!gone || apps.some(({ id }) => id === gone.id)) return;
    removed.current = undefined;
    focusAt(gone.index);
  });
  return (id: number, index: number) => {
    removed.current = { id, index };
  };
};
