import { failureReasons, type LogLine } from '@opensocial/contract';
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import type { Column, Filter } from '../../patterns/record-list/model/list-description.ts';
import { logTime, narrowLogTime } from '../../patterns/time/log-time.ts';
import classes from './line-columns.module.css';
import { reasonText } from './line-texts.ts';

/** §2.13, §2.7 and §2.8: the columns of the three logs. */
export const statusColumn: Column<LogLine> = {
  id: 'status',
  header: 'Status',
  width: 64,
  cell: ({ login_status, reason }) => {
    const isSuccess = login_status === 'Success';
    const StatusIcon = isSuccess ? IconCircleCheck : IconCircleX;
    return (
      <span className={classes.status} data-success={isSuccess} title={reasonText({ login_status, reason })}>
        <StatusIcon size={20} stroke={1.7} aria-hidden="true" />
        <span className="visually-hidden">{login_status}</span>
      </span>
    );
  },
};

export const emailColumn: Column<LogLine> = {
  id: 'email',
  header: 'Email',
  cell: ({ email, ip_address, login_time }) => (
    <span title={email}>
      {email}
      <span data-narrow-only>
        {narrowLogTime(login_time)} · {ip_address}
      </span>
    </span>
  ),
};

export const siteColumn: Column<LogLine> = {
  id: 'site',
  header: 'Site',
  cell: ({ site, ip_address, login_time }) => (
    <span title={site}>
      {site}
      <span data-narrow-only>
        {narrowLogTime(login_time)} · {ip_address}
      </span>
    </span>
  ),
};

export const addressColumn: Column<LogLine> = {
  id: 'address',
  header: 'IP Address',
  width: 118,
  wideOnly: true,
  cell: ({ ip_address }) => <span title={ip_address}>{ip_address}</span>,
};

export const timeColumn: Column<LogLine> = {
  id: 'time',
  header: 'Time',
  width: 200,
  wideOnly: true,
  cell: ({ login_time }) => <time dateTime={login_time}>{logTime(login_time)}</time>,
};

/** §2.13. On narrow screens the time and the person are below the site. */
export const activityColumns: readonly Column<LogLine>[] = [
  statusColumn,
  {
    id: 'site',
    header: 'Site',
    sortable: true,
    cell: ({ site, email, login_time, login_status, reason }) => (
      <span className={classes.site} title={site}>
        {site}
        {login_status === 'Failed' && <span className={classes.reason}>{reasonText({ login_status, reason })}</span>}
        <span data-narrow-only>
          {narrowLogTime(login_time)} · {email}
        </span>
      </span>
    ),
  },
  { id: 'email', header: 'Email', wideOnly: true, cell: ({ email }) => <span title={email}>{email}</span> },
  { ...addressColumn, width: 150 },
  { ...timeColumn, width: 230 },
];

export const loginStatusFilter: Filter = {
  kind: 'choice',
  id: 'status',
  label: 'login status',
  options: [
    { value: 'Success', label: 'success' },
    { value: 'Failed', label: 'failed' },
  ],
};

/** §2.7: 'Date within' range. */
export const timeFilter: Filter = { kind: 'range', id: 'time', label: 'Date within' };

/** Links from the overview begin at an hour. */
const sinceFilter: Filter = { kind: 'since', id: 'since', label: 'Since' };

/** §2.13. */
export const activityFilters: readonly Filter[] = [
  loginStatusFilter,
  { kind: 'text', id: 'site', label: 'Site', heading: 'advanced search' },
  { kind: 'select', id: 'reason', label: 'Reason of a failure', options: failureReasons, isOpen: true },
  { ...timeFilter, label: 'Date range' },
  sinceFilter,
];
