import { Button } from '@mantine/core';
import type { GroupUser } from '@opensocial/contract';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useLocation, useParams } from 'react-router';
import { useAdminNetwork } from '../../api/admin-network.ts';
import { OneByOneDialog } from '../../patterns/confirm/one-by-one-dialog.tsx';
import { PanelList } from '../../patterns/panel-list/panel-list.tsx';
import { groupUserColumns } from './group-columns.tsx';
import { groupUsersQuery, reloadGroupMembers, takeUserFromGroup } from './groups.api.ts';

/** SPEC 2.9, Users tab of a group. */
export function GroupUsersTab() {
  const network = useAdminNetwork();
  const groupId = Number(useParams()['group_id']);
  const { search } = useLocation();
  const [leaving, setLeaving] = useState<readonly GroupUser[]>();
  return (
    <>
      <PanelList
        label="Users of the group"
        query={(view) => groupUsersQuery(network, groupId, view.search)}
        columns={groupUserColumns}
        nameOf={({ user_email }) => user_email}
        count={(loaded, total) => `${loaded} of ${total} users`}
        emptyHint="Nobody is in the group yet."
        bulk={[{ label: 'delete', icon: IconTrash, onAct: setLeaving }]}
        tools={
          <Button
            component={Link}
            to={{ pathname: '../users/assign', search }}
            relative="path"
            leftSection={<IconPlus size={17} />}
          >
            assign users
          </Button>
        }
      />
      {leaving && (
        <OneByOneDialog
          title="Confirm removing user"
          text="Are you sure you want to take the selected user out of the group ?"
          names={leaving.map(({ user_email }) => user_email)}
          action="Delete"
          danger
          rows={leaving}
          busyText={({ user_email }) => `Removing ${user_email}`}
          act={(user) => takeUserFromGroup(groupId, user)}
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
