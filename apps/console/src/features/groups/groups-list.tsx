import { Button } from '@mantine/core';
import type { Group } from '@opensocial/contract';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { Outlet, useParams } from 'react-router';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { DeleteDialog } from '../../patterns/confirm/delete-dialog.tsx';
import { describeEntryEffects } from '../../patterns/entry-effects/entry-effects.ts';
import { ListPage } from '../../patterns/record-list/list-page.tsx';
import { beginList } from '../../patterns/record-list/model/begin-list.ts';
import { RecordList } from '../../patterns/record-list/record-list.tsx';
import { countedGroupColumns } from './group-columns.tsx';
import { deleteGroup, groupsQuery, reloadGroups } from './groups.api.ts';
import { toGroupDetails } from './groups.links.ts';

const AddGroupModal = lazy(async () => ({ default: (await import('./add-group-modal.tsx')).AddGroupModal }));

export const beginGroupsList = beginList((network, { search }) => groupsQuery(network, search));

/** §2.9, groups list. */
export function GroupsList() {
  const network = useAdminNetwork();
  const { group_id } = useParams();
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<readonly Group[]>();
  return (
    <ListPage
      title="Groups"
      tools={
        <Button leftSection={<IconPlus size={17} />} onClick={() => setAdding(true)}>
          Add New Group
        </Button>
      }
    >
      <RecordList
        label="Groups"
        query={({ search }) => groupsQuery(network, search)}
        columns={countedGroupColumns}
        columnsStoredAs="groups"
        nameOf={({ name }) => name}
        count={(loaded, total) => `${loaded} of ${total} groups`}
        emptyHint="A group decides who may use which sites. Add a group, then assign users and sites to it."
        actions={[
          {
            id: 'delete',
            icon: () => IconTrash,
            label: ({ name }) => `Delete ${name}`,
            onAct: (group) => setRemoving([group]),
          },
        ]}
        bulk={[{ label: 'delete', icon: IconTrash, onAct: setRemoving }]}
        open={(group) => toGroupDetails(network.name, group)}
        current={group_id === undefined ? undefined : Number(group_id)}
      />
      <Suspense>{adding && <AddGroupModal onClose={() => setAdding(false)} />}</Suspense>
      {removing && (
        <DeleteDialog
          network={network}
          title="Confirm deleting group"
          text={`Are you sure you want to delete ${removing.length === 1 ? 'this group' : 'these groups'}? A site that is left without a group is open to the whole network.`}
          rows={removing}
          nameOf={({ name }) => name}
          noun="groups"
          effects={() => describeEntryEffects(network, { deleted: removing.map(({ id }) => id) })}
          remove={(group) => deleteGroup(network, group)}
          onReload={() => void reloadGroups(network)}
          onClose={() => setRemoving(undefined)}
        />
      )}
      <Outlet />
    </ListPage>
  );
}
