import { ApiError } from '@opensocial/contract';
import { initialOf } from '@opensocial/look/initial';
import { IconUsersGroup } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Outlet, useParams } from 'react-router';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { ErrorPanel } from '../../patterns/error-panel/error-panel.tsx';
import { Notice } from '../../patterns/notice/notice.tsx';
import { SidePanel } from '../../patterns/side-panel/side-panel.tsx';
import { showErrorField } from '../../patterns/toast/show-error-field.tsx';
import { groupQuery } from './groups.api.ts';
import { toGroups, toGroupTab } from './groups.links.ts';

const tabs = [
  ['Group Details', 'details'],
  ['Sites', 'sites'],
  ['Users', 'users'],
] as const;

const isGone = (error: Error | null): boolean => error instanceof ApiError && error.status === 404;

/** §2.9, group side panel. */
export function GroupPanel() {
  const network = useAdminNetwork();
  const { group_name = '', group_id = '' } = useParams();
  const id = Number(group_id);
  const { data: group, ...query } = useQuery(groupQuery(id));
  const { error } = query;
  useEffect(() => {
    if (error) showErrorField(error);
  }, [error]);
  const name = group?.name ?? group_name;
  return (
    <SidePanel
      closeTo={toGroups(network.name)}
      plate={initialOf(name || ' ')}
      name={name || 'Group'}
      state="Group"
      tabs={tabs.map(([label, tab]) => ({ label, to: toGroupTab(network.name, { id, name: group_name }, tab) }))}
    >
      {query.isLoadingError &&
        (isGone(error) ? (
          <Notice icon={<IconUsersGroup />} title="This group was not found">
            It was deleted, or it belongs to another network.
          </Notice>
        ) : (
          <ErrorPanel onRetry={query.refetch} retrying={query.isFetching} />
        ))}
      {!query.isLoadingError && <Outlet />}
    </SidePanel>
  );
}
