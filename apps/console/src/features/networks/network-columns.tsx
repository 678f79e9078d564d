import type { Network } from '@opensocial/contract';
import { IconCheck, IconShieldCheck, IconUser } from '@tabler/icons-react';
import { Link } from 'react-router';
import { toNetworkDesktop } from '../../api/links/network-links.ts';
import type { Column } from '../../patterns/record-list/model/list-description.ts';
import classes from './network-columns.module.css';

const statuses = {
  admin: { icon: IconShieldCheck, text: 'You are an owner' },
  user: { icon: IconUser, text: 'You are a member' },
};

/** §2.4, the columns in their order. */
export const networkColumns = (defaultId: number): readonly Column<Network>[] => [
  {
    id: 'status',
    header: 'Status',
    width: 84,
    cell: ({ role }) => {
      const { icon: StatusIcon, text } = statuses[role];
      return (
        <span className={classes.status} data-role={role} title={text}>
          <StatusIcon size={20} stroke={1.7} aria-hidden="true" />
          <span className="visually-hidden">{text}</span>
        </span>
      );
    },
  },
  {
    id: 'name',
    header: 'Server Name',
    sortable: true,
    cell: ({ id, url }, tabIndex) => (
      <span className={classes.name}>
        <Link className={classes.link} to={toNetworkDesktop(url)} tabIndex={tabIndex} title={url}>
          {url}
        </Link>
        {id === defaultId && <span className={classes.chip}>Default</span>}
      </span>
    ),
  },
  {
    id: 'default',
    header: 'Your Default SSO Server',
    width: 240,
    wideOnly: true,
    cell: ({ id }) =>
      id === defaultId && (
        <span className={classes.default}>
          <IconCheck size={20} stroke={2} aria-hidden="true" />
          <span className="visually-hidden">Your default server</span>
        </span>
      ),
  },
];
