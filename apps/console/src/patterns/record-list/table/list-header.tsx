import { UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import type { CSSProperties } from 'react';
import type { Listed } from '../../../api/transport/paged-query.ts';
import type { Column, Sort } from '../model/list-description.ts';
import type { Ticks } from '../model/use-ticks.ts';
import classes from './record-table.module.css';
import { TickBox } from './tick-box.tsx';

type ListHeaderProps<Row extends Listed> = {
  columns: readonly Column<Row>[];
  sort: Sort | undefined;
  onSort: (sort: Sort | undefined) => void;
  ticks: Ticks<Row> | undefined;
  /** The number of icons at the end of a row. */
  tools: number;
};

export function ListHeader<Row extends Listed>({ columns, sort, onSort, ticks, tools }: ListHeaderProps<Row>) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {ticks && (
          <th scope="col" className={classes.tick}>
            <TickBox
              label="Tick all"
              checked={ticks.all}
              indeterminate={ticks.ticked.length > 0 && !ticks.all}
              onChange={ticks.toggleAll}
            />
          </th>
        )}
        {columns.map((column) => {
          const direction = sort?.column === column.id ? (sort.descending ? 'descending' : 'ascending') : undefined;
          return (
            <th
              key={column.id}
              scope="col"
              style={{ width: column.width }}
              data-wide-only={column.wideOnly}
              aria-sort={column.sortable && (direction ?? 'none')}
            >
              {column.sortable ? <SortButton column={column} direction={direction} onSort={onSort} /> : column.header}
            </th>
          );
        })}
        {tools > 0 && (
          <th scope="col" data-tools style={{ '--tools': tools } as CSSProperties}>
            <span className="visually-hidden">Actions</span>
          </th>
        )}
      </tr>
    </thead>
  );
}

type Direction = 'ascending' | 'descending' | undefined;
type SortButtonProps = {
  column: Pick<Column<never>, 'id' | 'header'>;
  direction: Direction;
  onSort: (sort: Sort | undefined) => void;
};

const icons = { none: IconArrowsSort, ascending: IconArrowUp, descending: IconArrowDown };

/** Cycles through ascending, descending and the server's default order. */
function SortButton({ column, direction, onSort }: SortButtonProps) {
  const SortIcon = icons[direction ?? 'none'];
  const next = direction === 'descending' ? undefined : { column: column.id, descending: direction === 'ascending' };
  return (
    <UnstyledButton className={classes.sort} data-sorted={direction} onClick={() => onSort(next)}>
      {column.header}
      <SortIcon size={14} stroke={2} aria-hidden="true" />
    </UnstyledButton>
  );
}
