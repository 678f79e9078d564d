import { Button } from '@mantine/core';
import type { GroupSite } from '@opensocial/contract';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useLocation, useParams } from 'react-router';
import { useAdminNetwork } from '../../api/admin-network.ts';
import { OneByOneDialog } from '../../patterns/confirm/one-by-one-dialog.tsx';
import { PanelList } from '../../patterns/panel-list/panel-list.tsx';
import { groupSiteColumns } from './group-columns.tsx';
import { groupSitesQuery, reloadGroupMembers, takeSiteFromGroup } from './groups.api.ts';

/** SPEC 2.9, Sites tab of a group. */
export function GroupSitesTab() {
  const network = useAdminNetwork();
  const groupId = Number(useParams()['group_id']);
  const { search } = useLocation();
  const [leaving, setLeaving] = useState<readonly GroupSite[]>();
  return (
    <>
      <PanelList
        label="Sites of the group"
        query={(view) => groupSitesQuery(network, groupId, view.search)}
        columns={groupSiteColumns}
        nameOf={({ subscriber_url }) => subscriber_url}
        count={(loaded, total) => `${loaded} of ${total} sites`}
        emptyHint="No site is for this group yet."
        bulk={[{ label: 'delete', icon: IconTrash, onAct: setLeaving }]}
        tools={
          <Button
            component={Link}
            to={{ pathname: '../sites/assign', search }}
            relative="path"
            leftSection={<IconPlus size={17} />}
          >
            assign sites
          </Button>
        }
      />
      {leaving && (
        <OneByOneDialog
          title="Confirm removing site"
          text="Are you sure you want to take the selected site out of the group ?"
          names={leaving.map(({ subscriber_url }) => subscriber_url)}
          action="Delete"
          danger
          rows={leaving}
          busyText={({ subscriber_url }) => `Removing ${subscriber_url}`}
          act={(site) => takeSiteFromGroup(groupId, site)}
          onReload={() => void reloadGroupMembers(groupId)}
          onClose={() => {
            setLeaving(undefined);
            void reloadGroupMembers(groupId);
          }}
        />
      )}
    </>
  );
}
