import { Button } from '@mantine/core';
import type { UserGroup } from '@opensocial/contract';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useLocation, useParams } from 'react-router';
import { useAdminNetwork } from '../../api/admin-network.ts';
import { wholeListQuery } from '../../api/whole-list-query.ts';
import { OneByOneDialog } from '../../patterns/confirm/one-by-one-dialog.tsx';
import { PanelList } from '../../patterns/panel-list/panel-list.tsx';
import type { Column } from '../../patterns/record-list/list-description.ts';
import { reloadUserGroups, takeGroupFromUser, userGroupsQuery } from './groups.api.ts';

const columns: readonly Column<UserGroup>[] = [
  { id: 'name', header: 'Group Name', cell: ({ group_name }) => <span title={group_name}>{group_name}</span> },
  {
    id: 'description',
    header: 'Description',
    wideOnly: true,
    cell: ({ description }) => <span title={description}>{description}</span>,
  },
];

/** SPEC 2.8, Groups tab. */
export function UserGroupsTab() {
  const network = useAdminNetwork();
  const userId = Number(useParams()['user_id']);
  const { search } = useLocation();
  const [leaving, setLeaving] = useState<readonly UserGroup[]>();
  return (
    <>
      <PanelList
        label="Groups of the user"
        query={(view) => wholeListQuery(userGroupsQuery(network, userId), view.search, ({ group_name }) => group_name)}
        columns={columns}
        nameOf={({ group_name }) => group_name}
        count={(loaded, total) => `${loaded} of ${total} groups`}
        emptyHint="In no group, they enter the sites that are for everybody in the network."
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
          text="Are you sure you want to take the user out of the selected group ?"
          names={leaving.map(({ group_name }) => group_name)}
          action="Delete"
          danger
          rows={leaving}
          busyText={({ group_name }) => `Removing ${group_name}`}
          act={takeGroupFromUser}
          onReload={() => void reloadUserGroups(network, userId)}
          onClose={() => {
            setLeaving(undefined);
            void reloadUserGroups(network, userId);
          }}
        />
      )}
    </>
  );
}
