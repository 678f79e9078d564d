import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { To } from 'react-router';
import type { Listed, PagedQuery } from '../../../api/transport/paged-query.ts';

/** 0 in the focused row, otherwise -1, so that the list is one tab stop (roving tabindex). */
export type CellTabIndex = 0 | -1;

export type Column<Row> = {
  id: string;
  header: string;
  /** Focusable elements in a cell use the given `tabIndex`. */
  cell: (row: Row, tabIndex: CellTabIndex) => ReactNode;
  /** Whether the list can be sorted by the column. The server sorts, because only the server has all rows. */
  sortable?: true;
  width?: number;
  /** Hidden on narrow screens, where an element with `data-narrow-only` in another cell can show the value. */
  wideOnly?: true;
  /** In a list with a choice of columns: hidden on medium screens until the viewer chooses it. */
  extra?: true;
};

/** A filter with several values, of which at most one is chosen. Many values use a select. */
export type ChoiceFilter = {
  kind: 'choice' | 'select';
  id: string;
  label: string;
  options: readonly { value: string; label: string }[];
  /** Whether links may choose other values too. */
  isOpen?: true;
};

/**
 * A range of two days as 'YYYY-MM-DD,YYYY-MM-DD' or the name of a quick choice of days, or a text. A moment, as ISO 8601, is set by links
 * and has no field: it can only be removed.
 */
type TypedFilter = {
  kind: 'range' | 'text' | 'since';
  id: string;
  label: string;
  /** The heading of the group of filters that begins with this one. */
  heading?: string;
};

export type Filter = ChoiceFilter | TypedFilter;

export type RowAction<Row> = {
  id: string;
  icon: (row: Row) => Icon;
  label: (row: Row) => string;
  /** Hides the action for some rows. */
  isOffered?: (row: Row) => boolean;
} & (RowButton<Row> | RowLink<Row>);

type RowButton<Row> = { onAct: (row: Row) => void; isDisabled?: (row: Row) => boolean };

/** An action that opens another address. */
type RowLink<Row> = { to: (row: Row) => To };

export type BulkAction<Row> = {
  label: string;
  icon: Icon;
  onAct: (rows: readonly Row[]) => void;
  /** Whether the action is in the menu 'more actions' instead of a button. */
  more?: true;
};

export type Sort = { column: string; descending: boolean };

/** The sort parameter of a call: 'name', or '-name' for descending order. */
export const sortText = <Name extends string>(
  sort: Sort | undefined,
  ...columns: readonly Name[]
): Name | `-${Name}` | undefined => {
  const column = columns.find((name) => name === sort?.column);
  return column && (sort?.descending ? `-${column}` : column);
};

/** The state of a list in the address bar. */
export type ListView = { search: string; filters: Readonly<Record<string, string>>; sort: Sort | undefined };

/** The description of a list. */
export type ListDescription<Row extends Listed> = {
  /** The accessible name of the list. */
  label: string;
  query: (view: ListView) => PagedQuery<Row>;
  columns: readonly Column<Row>[];
  /** The name under which the browser stores which columns the viewer has chosen. Without it, all are shown. */
  columnsStoredAs?: string;
  /** The name of a row, for the labels of its controls. */
  nameOf: (row: Row) => string;
  /** For example '{n} of {total} servers'. The numbers have separators between thousands. */
  count: (loaded: string, total: string) => string;
  /** The text of an empty list. The default is the text of §2.2. */
  emptyText?: string;
  /** A hint how to fill an empty list. */
  emptyHint: ReactNode;
  filters?: readonly Filter[];
  actions?: readonly RowAction<Row>[];
  /** Bulk actions. The rows get tick boxes. */
  bulk?: readonly BulkAction<Row>[];
  /** For a parent that acts on the ticked rows. The rows get tick boxes. */
  onTicked?: (rows: readonly Row[]) => void;
  /** Buttons beside the search, for example to create a record. */
  tools?: ReactNode;
  /**
   * Where search and filters are stored. A list in a panel keeps them in its state, because the address belongs to the list below.
   */
  stateIn?: 'address' | 'memory';
  /** The address that the arrow, Enter and a click on the row open. */
  open?: (row: Row) => string;
  /** Whether a row of a list in a panel opens within the same panel. */
  opensWithin?: boolean;
  /** The row whose panel is open. The focus returns to it. */
  current?: number | undefined;
  /** Whether a row is shown muted. */
  isStopped?: (row: Row) => boolean;
};

export const hasTicks = <Row extends Listed>({ bulk, onTicked }: ListDescription<Row>): boolean =>
  bulk !== undefined || onTicked !== undefined;
