import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Listed, PagedQuery } from '../../../api/transport/paged-query.ts';

/** 0 in the row that the keyboard is at, so that the list as a whole is one stop of the Tab key. */
export type CellTabIndex = 0 | -1;

export type Column<Row> = {
  id: string;
  header: string;
  /** Whatever can be focused in a cell takes the given `tabIndex`. */
  cell: (row: Row, tabIndex: CellTabIndex) => ReactNode;
  /** Whether the list can be sorted by the column. The server sorts, because it alone has the whole list. */
  sortable?: true;
  width?: number;
  /** Left out where there is little room; an element `data-narrow-only` in another cell may say it there. */
  wideOnly?: true;
};

/** One of several values, or none; of many, by a select. */
export type ChoiceFilter = {
  kind: 'choice' | 'select';
  id: string;
  label: string;
  options: readonly { value: string; label: string }[];
};

/** Two days as 'YYYY-MM-DD,YYYY-MM-DD'; or a text. */
type TypedFilter = {
  kind: 'range' | 'text';
  id: string;
  label: string;
  /** What it begins a group of. */
  heading?: string;
};

export type Filter = ChoiceFilter | TypedFilter;

export type RowAction<Row> = {
  id: string;
  icon: (row: Row) => Icon;
  label: (row: Row) => string;
  onAct: (row: Row) => void;
  isDisabled?: (row: Row) => boolean;
  /** Left out of rows that it is not for. */
  isOffered?: (row: Row) => boolean;
};

export type BulkAction<Row> = {
  label: string;
  icon: Icon;
  onAct: (rows: readonly Row[]) => void;
  /** In the 'more actions' menu instead of a button of its own. */
  more?: true;
};

export type Sort = { column: string; descending: boolean };

/** As a call takes it: 'name', or '-name' for last to first. */
export const sortText = <Name extends string>(sort: Sort | undefined, column: Name): Name | `-${Name}` | undefined => {
  if (sort?.column !== column) return undefined;
  return sort.descending ? `-${column}` : column;
};

/** What the address bar says about a list. */
export type ListView = { search: string; filters: Readonly<Record<string, string>>; sort: Sort | undefined };

/** A whole list as data. */
export type ListDescription<Row extends Listed> = {
  /** What the list is called to a screen reader. */
  label: string;
  query: (view: ListView) => PagedQuery<Row>;
  columns: readonly Column<Row>[];
  /** What a row is called in the names of its controls. */
  nameOf: (row: Row) => string;
  /** '{n} of {total} servers'. */
  count: (loaded: number, total: number) => string;
  /** §2.2, unless a list has its own. */
  emptyText?: string;
  /** How to fill an empty list. */
  emptyHint: ReactNode;
  filters?: readonly Filter[];
  actions?: readonly RowAction<Row>[];
  /** Gives the rows tick boxes. */
  bulk?: readonly BulkAction<Row>[];
  /** Gives them too, to whoever acts on the ticked rows from outside the list. */
  onTicked?: (rows: readonly Row[]) => void;
  /** Beside the search: what begins something new. */
  tools?: ReactNode;
  /** Where search and filters are kept: a list within a panel leaves the address to the list below it. */
  stateIn?: 'address' | 'memory';
  /** Where the details arrow, Enter and a click on the row lead. */
  open?: (row: Row) => string;
  /** Whether a row of a panel's list opens within the same panel, over the same list. */
  opensWithin?: boolean;
  /** The row whose panel stands open; the focus returns to it. */
  current?: number | undefined;
  /** Such a row recedes. */
  isStopped?: (row: Row) => boolean;
};

export const hasTicks = <Row extends Listed>({ bulk, onTicked }: ListDescription<Row>): boolean =>
  bulk !== undefined || onTicked !== undefined;
