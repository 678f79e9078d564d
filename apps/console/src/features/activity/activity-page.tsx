import { useQuery } from '@tanstack/react-query';
import { Outlet } from 'react-router';
import { isAdmin, roleQuery } from '../../api/session/role.ts';
import { useSelectedNetwork } from '../../api/session/session.ts';
import { PageTabs } from '../../patterns/page/page-tabs.tsx';
import { ListPage } from '../../patterns/record-list/list-page.tsx';
import { toActivity } from './activity.links.ts';

const tabs = [
  { label: 'Sign-ins', to: toActivity(), screen: 'activity' },
  { label: 'Changes', to: '/activity/changes', screen: 'changes' },
];

/** §2.13: the login log, and for owners a tab with the audit log. */
export function ActivityPage() {
  const network = useSelectedNetwork();
  const administers = isAdmin(useQuery(roleQuery(network.name)).data);
  return (
    <ListPage title="Activity">
      {administers && <PageTabs label="Activity sections" tabs={tabs} />}
      <Outlet key={network.id} />
    </ListPage>
  );
}
