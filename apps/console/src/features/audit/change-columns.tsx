import type { AuditRecord } from '@opensocial/contract';
import { AuditObject } from '@opensocial/contract';
import type { Column, Filter } from '../../patterns/record-list/model/list-description.ts';
import { StateBadge } from '../../patterns/state-mark/state-mark.tsx';
import { logTime, narrowLogTime } from '../../patterns/time/log-time.ts';
import classes from './change-columns.module.css';
import { objectNames } from './change-text.ts';

/** On narrow screens the time and the person are below the change. */
export const changeColumns: readonly Column<AuditRecord>[] = [
  {
    id: 'change',
    header: 'Change',
    cell: (record) => (
      <span title={record.title}>
        {record.object === 'claim' && (
          <span className={classes.claim}>
            <StateBadge tone="warn">claim</StateBadge>
          </span>
        )}
        {record.title}
        <span data-narrow-only>
          {narrowLogTime(record.created_at)} · {record.actor}
        </span>
      </span>
    ),
  },
  {
    id: 'person',
    header: 'Person',
    wideOnly: true,
    cell: ({ actor }) => <span title={actor}>{actor}</span>,
  },
  { id: 'address', header: 'IP Address', width: 150, wideOnly: true, cell: ({ ip_address }) => ip_address },
  {
    id: 'time',
    header: 'Time',
    width: 230,
    wideOnly: true,
    cell: ({ created_at }) => <time dateTime={created_at}>{logTime(created_at)}</time>,
  },
];

export const changeFilters: readonly Filter[] = [
  {
    kind: 'select',
    id: 'object',
    label: 'Object',
    options: AuditObject.options.map((value) => ({ value, label: objectNames[value] })),
  },
  { kind: 'text', id: 'person', label: 'Person' },
  { kind: 'range', id: 'time', label: 'Date within' },
];
