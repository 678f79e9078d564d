import type { UserRow } from '@opensocial/contract';
import { exactTime, recentTime } from '../../patterns/format/format.ts';
import type { Column } from '../../patterns/record-list/model/list-description.ts';
import { StateBadge, StateDot } from '../../patterns/state-mark/state-mark.tsx';
import classes from './user-columns.module.css';

const factorNames = { passkey: 'Passkey', totp: 'App', email: 'Email code' } as const;

/** The strongest second factor and the number of others. */
function FactorsCell({ factors, status }: Pick<UserRow, 'factors' | 'status'>) {
  if (factors === null) {
    const reason =
      status === 'NonConfirmed'
        ? 'Not known before the account is confirmed'
        : 'Not shown: other networks rely on this account';
    return (
      <span className={classes.none} title={reason}>
        <span aria-hidden="true">–</span>
        <span className="visually-hidden">{reason}</span>
      </span>
    );
  }
  const [first, ...others] = factors;
  if (!first) return <span className={classes.none}>None</span>;
  return (
    <span title={factors.map((factor) => factorNames[factor]).join(', ')}>
      {factorNames[first]}
      {others.length > 0 && <span className={classes.none}> +{others.length}</span>}
    </span>
  );
}

/** The name, and below it the first groups and the number of the others. */
function NameCell({ fullname, group_names: names, group_count: count }: UserRow) {
  const more = count - names.length;
  const groups = more > 0 ? `${names.join(', ')} +${more}` : names.join(', ');
  return (
    <span className={classes.lines} title={count > 0 ? `${fullname}, in ${groups}` : fullname}>
      <span>{fullname}</span>
      {count > 0 && (
        <span className={classes.groups}>
          <span className="visually-hidden">Groups: </span>
          {groups}
        </span>
      )}
    </span>
  );
}

const narrowText = ({ fullname, status, user_mode, last_login }: UserRow): string => {
  const words = [fullname, status, user_mode, last_login && `last sign-in ${recentTime(last_login)}`];
  return words.filter(Boolean).join(' · ');
};

/** §2.8, the columns in their order, and what a help desk looks for first. */
export const userColumns: readonly Column<UserRow>[] = [
  {
    id: 'email',
    header: 'Email',
    sortable: true,
    cell: (user) => (
      <span title={user.email}>
        {user.email}
        <span data-narrow-only>{narrowText(user)}</span>
      </span>
    ),
  },
  {
    id: 'name',
    header: 'Name',
    sortable: true,
    width: 172,
    wideOnly: true,
    cell: NameCell,
  },
  {
    id: 'status',
    header: 'Status',
    width: 144,
    wideOnly: true,
    cell: ({ status }) => <StateBadge tone={status === 'Confirmed' ? 'good' : 'quiet'}>{status}</StateBadge>,
  },
  {
    id: 'mode',
    header: 'Mode',
    width: 98,
    wideOnly: true,
    cell: ({ user_mode }) => <StateDot tone={user_mode === 'Active' ? 'good' : 'warn'}>{user_mode}</StateDot>,
  },
  {
    id: 'last_login',
    header: 'Last sign-in',
    width: 164,
    wideOnly: true,
    extra: true,
    sortable: true,
    cell: ({ last_login }) =>
      last_login === null ? (
        <span className={classes.none}>Never</span>
      ) : (
        <time dateTime={last_login} title={exactTime(last_login)}>
          {recentTime(last_login)}
        </time>
      ),
  },
  { id: 'factors', header: 'Second factor', width: 118, wideOnly: true, extra: true, cell: FactorsCell },
];
