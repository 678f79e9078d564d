import { useParams } from 'react-router';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { describeEntryEffects } from '../../patterns/entry-effects/entry-effects.ts';
import { MemberList } from '../../patterns/member-list/member-list.tsx';
import { groupSiteColumns, groupSiteLabel } from './group-member-columns.tsx';
import { groupSitesQuery, reloadGroupMembers, removeSiteFromGroup } from './groups.members.api.ts';

/** §2.9, Sites tab of a group. */
export function GroupSitesTab() {
  const network = useAdminNetwork();
  const groupId = Number(useParams()['group_id']);
  return (
    <MemberList
      label="Sites of the group"
      query={(view) => groupSitesQuery(network, groupId, view.search)}
      columns={groupSiteColumns}
      nameOf={groupSiteLabel}
      count={(loaded, total) => `${loaded} of ${total} sites`}
      emptyHint="This group has no sites yet."
      assign={{ label: 'assign sites', to: '../sites/assign' }}
      removal={{
        noun: 'site',
        from: 'the group',
        effects: (sites) =>
          describeEntryEffects(network, {
            unassigned: sites.map(({ subscriber_id }) => ({ group_id: groupId, site_id: subscriber_id })),
          }),
        act: (site) => removeSiteFromGroup(network, groupId, site),
        onReload: () => void reloadGroupMembers(groupId),
      }}
    />
  );
}
