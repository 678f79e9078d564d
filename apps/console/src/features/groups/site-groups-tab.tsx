import { useParams } from 'react-router';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { describeEntryEffects } from '../../patterns/entry-effects/entry-effects.ts';
import { MemberList } from '../../patterns/member-list/member-list.tsx';
import { groupColumns } from './group-columns.tsx';
import { reloadSiteGroups, removeGroupFromSite, siteGroupsQuery } from './groups.members.api.ts';

/** §2.7, Groups tab. */
export function SiteGroupsTab() {
  const network = useAdminNetwork();
  const siteId = Number(useParams()['site_id']);
  return (
    <MemberList
      label="Groups of the site"
      query={(view) => siteGroupsQuery(network, siteId, view.search)}
      columns={groupColumns}
      nameOf={({ name }) => name}
      count={(loaded, total) => `${loaded} of ${total} groups`}
      emptyHint="Without a group, everybody in the network can use this site. Assign groups to restrict it to their members."
      assign={{ label: 'assign groups', to: '../groups/assign' }}
      removal={{
        noun: 'group',
        from: 'the site',
        effects: (groups) =>
          describeEntryEffects(network, { unassigned: groups.map(({ id }) => ({ group_id: id, site_id: siteId })) }),
        act: (group) => removeGroupFromSite(network, siteId, group),
        onReload: () => void reloadSiteGroups(siteId),
      }}
    />
  );
}
