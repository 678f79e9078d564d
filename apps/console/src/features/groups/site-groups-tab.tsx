import { Button } from '@mantine/core';
import type { Group } from '@opensocial/contract';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useLocation, useParams } from 'react-router';
import { useAdminNetwork } from '../../api/admin-network.ts';
import { OneByOneDialog } from '../../patterns/confirm/one-by-one-dialog.tsx';
import { PanelList } from '../../patterns/panel-list/panel-list.tsx';
import { groupColumns } from './group-columns.tsx';
import { reloadSiteGroups, siteGroupsQuery, takeGroupFromSite } from './groups.api.ts';

/** SPEC 2.7, Groups tab. */
export function SiteGroupsTab() {
  const network = useAdminNetwork();
  const siteId = Number(useParams()['site_id']);
  const { search } = useLocation();
  const [leaving, setLeaving] = useState<readonly Group[]>();
  return (
    <>
      <PanelList
        label="Groups of the site"
        query={(view) => siteGroupsQuery(network, siteId, view.search)}
        columns={groupColumns}
        nameOf={({ name }) => name}
        count={(loaded, total) => `${loaded} of ${total} groups`}
        emptyHint="Without a group, everybody in the network may enter. Assign groups to let in only their members."
        bulk={[{ label: 'delete', icon: IconTrash, onAct: setLeaving }]}
        tools={
          <Button
            component={Link}
            to={{ pathname: '../groups/assign', search }}
            relative="path"
            leftSection={<IconPlus size={17} />}
          >
            assign groups
          </Button>
        }
      />
      {leaving && (
        <OneByOneDialog
          title="Confirm removing group"
          text="Are you sure you want to take the site out of the selected group ?"
          names={leaving.map(({ name }) => name)}
          action="Delete"
          danger
          rows={leaving}
          busyText={({ name }) => `Removing ${name}`}
          act={(group) => takeGroupFromSite(siteId, group)}
          onReload={() => void reloadSiteGroups(siteId)}
          onClose={() => {
            setLeaving(undefined);
            void reloadSiteGroups(siteId);
          }}
        />
      )}
    </>
  );
}
