import type { TrashEntry, TrashKind } from '@opensocial/contract';
import { type Icon, IconPhoto, IconUser, IconUsersGroup, IconWorldWww } from '@tabler/icons-react';
import { createElement } from 'react';
import { countOf, fullTime, shortTime } from '../../patterns/format/format.ts';
import type { Column, Filter } from '../../patterns/record-list/model/list-description.ts';
import { daysUntil } from '../../patterns/time/days-left.ts';
import classes from './trash-columns.module.css';

const kinds: Readonly<Record<TrashKind, { icon: Icon; name: string; plural: string }>> = {
  site: { icon: IconWorldWww, name: 'Site', plural: 'Sites' },
  user: { icon: IconUser, name: 'User', plural: 'Users' },
  group: { icon: IconUsersGroup, name: 'Group', plural: 'Groups' },
  image: { icon: IconPhoto, name: 'Image', plural: 'Images' },
};

/** What a site or a person is called, if they have a name: the label is the domain or the address. */
const trashTitle = ({ kind, label, detail }: TrashEntry): string => (isNamedByDetail(kind) && detail.trim()) || label;

/** What tells the object from others of the same name. */
const trashDetail = (entry: TrashEntry): string => {
  const { kind, label, detail } = entry;
  const other = isNamedByDetail(kind) ? label : detail;
  return other === trashTitle(entry) ? '' : other;
};

const isNamedByDetail = (kind: TrashKind): boolean => kind === 'site' || kind === 'user';

/** Identifies a deleted object in one line. */
export const trashLabel = (entry: TrashEntry): string => {
  const title = trashTitle(entry);
  return title === entry.label ? title : `${title} (${entry.label})`;
};

const daysLeft = ({ expires_at }: TrashEntry): string => {
  const days = Math.max(0, daysUntil(expires_at));
  return countOf(days, 'day', 'days');
};

/** On narrow screens the time that is left is below the name. */
export const trashColumns: readonly Column<TrashEntry>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: (entry) => (
      <span className={classes.name}>
        {createElement(kinds[entry.kind].icon, {
          size: 18,
          stroke: 1.7,
          role: 'img',
          'aria-label': kinds[entry.kind].name,
        })}
        <span className={classes.texts} title={[trashTitle(entry), trashDetail(entry)].filter(Boolean).join(' · ')}>
          {trashTitle(entry)}
          {trashDetail(entry) !== '' && <span className={classes.detail}>{trashDetail(entry)}</span>}
          <span data-narrow-only>
            {shortTime(entry.deleted_at)} · {daysLeft(entry)} left
          </span>
        </span>
      </span>
    ),
  },
  {
    id: 'person',
    header: 'Deleted by',
    wideOnly: true,
    cell: ({ deleted_by }) => <span title={deleted_by}>{deleted_by}</span>,
  },
  {
    id: 'time',
    header: 'Time',
    width: 230,
    wideOnly: true,
    cell: ({ deleted_at }) => <time dateTime={deleted_at}>{fullTime(deleted_at)}</time>,
  },
  { id: 'left', header: 'Time left', width: 110, wideOnly: true, cell: daysLeft },
];

export const trashFilters: readonly Filter[] = [
  {
    kind: 'choice',
    id: 'kind',
    label: 'Kind',
    options: Object.entries(kinds).map(([value, { plural }]) => ({ value, label: plural })),
  },
];
