import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useParams } from 'react-router';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { AssignList } from '../../patterns/assign-list/assign-list.tsx';
import { useReturnToMembers } from '../../patterns/assign-list/use-return-to-members.ts';
import { describeEntryEffects } from '../../patterns/entry-effects/entry-effects.ts';
import { groupColumns } from './group-columns.tsx';
import { assignGroupToSite, groupsToAssignQuery, reloadSiteGroups } from './groups.members.api.ts';

const AddGroupModal = lazy(async () => ({ default: (await import('./add-group-modal.tsx')).AddGroupModal }));

/** §2.7, assign groups view. */
export function AssignSiteGroups() {
  const network = useAdminNetwork();
  const siteId = Number(useParams()['site_id']);
  const returnToMembers = useReturnToMembers();
  const [isAdding, setIsAdding] = useState(false);
  const handleLeave = () => {
    void reloadSiteGroups(siteId);
    returnToMembers();
  };
  return (
    <>
      <AssignList
        label="Groups to assign"
        query={(view) => groupsToAssignQuery(network, siteId, view.search)}
        columns={groupColumns}
        nameOf={({ name }) => name}
        count={(loaded, total) => `${loaded} of ${total} groups`}
        emptyHint="Every group of the network is already assigned. You can add another one."
        action="assign groups"
        effects={(groups) =>
          describeEntryEffects(network, { assigned: groups.map(({ id }) => ({ group_id: id, site_id: siteId })) })
        }
        act={(group) => assignGroupToSite(network, siteId, group)}
        onLeave={handleLeave}
        tools={
          <Button variant="default" leftSection={<IconPlus size={17} />} onClick={() => setIsAdding(true)}>
            Add New Group
          </Button>
        }
      />
      <Suspense>
        {isAdding && <AddGroupModal onClose={() => setIsAdding(false)} onAdded={() => void reloadSiteGroups(siteId)} />}
      </Suspense>
    </>
  );
}
