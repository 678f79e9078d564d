import { IconChevronRight } from '@tabler/icons-react';
import { createElement, type MouseEvent, memo } from 'react';
import { Link } from 'react-router';
import type { Listed } from '../../../api/transport/paged-query.ts';
import { type CellTabIndex, hasTicks, type ListDescription, type RowAction } from '../model/list-description.ts';
import classes from './record-table.module.css';
import { TickBox } from './tick-box.tsx';

type RecordRowProps<Row extends Listed> = {
  list: ListDescription<Row>;
  row: Row;
  index: number;
  /** Whether the row has the keyboard focus. */
  active: boolean;
  ticked: boolean;
  onTick: (row: Row) => void;
  onOpen: (row: Row) => void;
  /** The search part of the address, which is kept while a panel is open. */
  search: string;
};

function PlainRecordRow<Row extends Listed>(props: RecordRowProps<Row>) {
  const { list, row, index, active, ticked, onTick, onOpen, search } = props;
  const { columns, actions = [], open, nameOf } = list;
  const isTickable = hasTicks(list);
  const tabIndex = active ? 0 : -1;
  const handleClick = (event: MouseEvent<HTMLElement>) => {
    const onControl = (event.target as Element).closest('a, button, input, label');
    if (open && !onControl && window.getSelection()?.toString() === '') onOpen(row);
  };
  return (
    // The list handles the keys. A click on the row is a shortcut for its arrow.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- see above
    <tr
      aria-rowindex={index + 2}
      aria-selected={isTickable ? ticked : undefined}
      aria-current={list.current === row.id || undefined}
      data-index={index}
      data-stopped={list.isStopped?.(row) || undefined}
      data-opens={open !== undefined || undefined}
      tabIndex={tabIndex}
      onClick={handleClick}
    >
      {isTickable && (
        <td className={classes.tick}>
          <TickBox label={`Tick ${nameOf(row)}`} checked={ticked} tabIndex={tabIndex} onChange={() => onTick(row)} />
        </td>
      )}
      {columns.map(({ id, cell, wideOnly }) => (
        <td key={id} data-wide-only={wideOnly}>
          {cell(row, tabIndex)}
        </td>
      ))}
      {(actions.length > 0 || open) && (
        <td className={classes.tools}>
          {actions
            .filter(({ isOffered }) => isOffered?.(row) ?? true)
            .map((action) => (
              <RowTool key={action.id} action={action} row={row} tabIndex={tabIndex} />
            ))}
          {open && (
            <Link
              className={classes.tool}
              data-lasting
              tabIndex={tabIndex}
              aria-label={`Details of ${nameOf(row)}`}
              to={{ pathname: open(row), search }}
              preventScrollReset
            >
              <IconChevronRight size={18} stroke={1.8} aria-hidden="true" />
            </Link>
          )}
        </td>
      )}
    </tr>
  );
}

type RowToolProps<Row> = { action: RowAction<Row>; row: Row; tabIndex: CellTabIndex };

function RowTool<Row>({ action, row, tabIndex }: RowToolProps<Row>) {
  const label = action.label(row);
  const tool = { className: classes.tool, tabIndex, 'aria-label': label, title: label };
  const icon = createElement(action.icon(row), { size: 18, stroke: 1.8, 'aria-hidden': true });
  if ('to' in action)
    return (
      <Link {...tool} to={action.to(row)} preventScrollReset>
        {icon}
      </Link>
    );
  return (
    <button {...tool} type="button" disabled={action.isDisabled?.(row) ?? false} onClick={() => action.onAct(row)}>
      {icon}
    </button>
  );
}

/** Memoised: a row renders again only when its own props change, not on scroll. */
export const RecordRow = memo(PlainRecordRow) as typeof PlainRecordRow;
