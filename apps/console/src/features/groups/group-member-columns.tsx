import { type GroupSite, type GroupUser, personLabel, siteLabel } from '@opensocial/contract';
import type { Column } from '../../patterns/record-list/model/list-description.ts';
import { SiteName } from '../../patterns/site-name/site-name.tsx';

export const groupUserColumns: readonly Column<GroupUser>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: ({ user_full_name, user_email }) => (
      <span title={user_full_name}>
        {user_full_name}
        <span data-narrow-only>{user_email}</span>
      </span>
    ),
  },
  {
    id: 'email',
    header: 'Email',
    wideOnly: true,
    cell: ({ user_email }) => <span title={user_email}>{user_email}</span>,
  },
];

export const groupUserLabel = ({ user_full_name, user_email }: GroupUser): string =>
  personLabel({ fullname: user_full_name, email: user_email });

const named = ({ site_name, subscriber_url }: GroupSite) => ({ site_name, domain: subscriber_url });

export const groupSiteLabel = (site: GroupSite): string => siteLabel(named(site));

export const groupSiteColumns: readonly Column<GroupSite>[] = [
  {
    id: 'name',
    header: 'site name',
    cell: (site) => <SiteName site={named(site)} />,
  },
];
