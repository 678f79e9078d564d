import { Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Listed } from '../../../api/transport/paged-query.ts';
import { SearchField } from '../../search-field/search-field.tsx';
import type { BulkAction, Filter, ListView } from '../model/list-description.ts';
import type { ColumnChoice } from '../model/use-column-choice.ts';
import { useSearchText } from '../model/use-search-text.ts';
import { BulkActions } from './bulk-actions.tsx';
import { ColumnMenu } from './column-menu.tsx';
import { FilterMenu } from './filter-menu.tsx';
import { FilterPills } from './filter-pills.tsx';
import classes from './list-bar.module.css';

type ListBarProps<Row extends Listed> = {
  label: string;
  view: ListView;
  filters: readonly Filter[];
  bulk: readonly BulkAction<Row>[];
  ticked: readonly Row[];
  /** Undefined while it is unknown. */
  count: string | undefined;
  loading: boolean;
  onSearch: (search: string) => void;
  onFilter: (values: Readonly<Record<string, string>>) => void;
  onArrowDown: () => void;
  columnChoice: ColumnChoice | undefined;
  tools: ReactNode;
};

/** Search, filters, pills, count and bulk actions in one bar. */
export function ListBar<Row extends Listed>(props: ListBarProps<Row>) {
  const { view, filters, bulk, ticked, count } = props;
  const [text, setText] = useSearchText(view.search, props.onSearch);
  return (
    <div className={classes.bar} data-keep-clear>
      <SearchField
        label="Search"
        subject={props.label}
        value={text}
        onChange={setText}
        onArrowDown={props.onArrowDown}
      />
      {filters.length > 0 && <FilterMenu filters={filters} chosen={view.filters} onChoose={props.onFilter} />}
      <FilterPills
        filters={filters}
        chosen={view.filters}
        onRemove={(id) => props.onFilter({ ...view.filters, [id]: '' })}
      />
      <p className={classes.count} role="status">
        {props.loading ? <Loader size={16} aria-hidden="true" /> : count}
      </p>
      {props.columnChoice && <ColumnMenu label={props.label} choice={props.columnChoice} />}
      <div className={classes.bulk}>{bulk.length > 0 && <BulkActions actions={bulk} ticked={ticked} />}</div>
      <div className={classes.tools}>{props.tools}</div>
    </div>
  );
}
