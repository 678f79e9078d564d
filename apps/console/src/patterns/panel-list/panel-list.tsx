import type { Listed } from '../../api/transport/paged-query.ts';
import type { ListDescription } from '../record-list/model/list-description.ts';
import { RecordList } from '../record-list/record-list.tsx';
import classes from './panel-list.module.css';

/** A list as a tab of a panel. */
export function PanelList<Row extends Listed>(list: Omit<ListDescription<Row>, 'stateIn'>) {
  return (
    <div className={classes.list}>
      <RecordList {...list} stateIn="memory" />
    </div>
  );
}
