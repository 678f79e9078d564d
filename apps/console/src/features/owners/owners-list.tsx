import { Button } from '@mantine/core';
import type { Owner } from '@opensocial/contract';
import { IconCircleMinus, IconPlus } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { useSessionUser } from '../../api/session/session.ts';
import { OneByOneDialog } from '../../patterns/confirm/one-by-one-dialog.tsx';
import { ListPage } from '../../patterns/record-list/list-page.tsx';
import { beginList } from '../../patterns/record-list/model/begin-list.ts';
import type { Column } from '../../patterns/record-list/model/list-description.ts';
import { RecordList } from '../../patterns/record-list/record-list.tsx';
import { StateBadge } from '../../patterns/state-mark/state-mark.tsx';
import { showNotice } from '../../patterns/toast/show-notice.tsx';
import { deleteOwner, ownersQuery, reloadOwners } from './owners.api.ts';
import classes from './owners-list.module.css';

const AddOwnerModal = lazy(async () => ({ default: (await import('./add-owner-modal.tsx')).AddOwnerModal }));

const columns: readonly Column<Owner>[] = [
  {
    id: 'owner',
    header: 'Admin Email',
    cell: ({ owner, effective, last }) => (
      <span className={classes.owner} title={owner}>
        <span className={classes.email}>{owner}</span>
        {!effective && <StateBadge tone="quiet">not confirmed yet</StateBadge>}
        {last && <StateBadge tone="quiet">last owner</StateBadge>}
      </span>
    ),
  },
];

const lastOwnerText = 'The last owner of a network cannot be removed. Add another owner first.';

export const beginOwnersList = beginList((network, { search }) => ownersQuery(network, search));

/** §2.9, owners list. */
export function OwnersList() {
  const network = useAdminNetwork();
  const user = useSessionUser();
  const [adding, setAdding] = useState(false);
  const [note, setNote] = useState<string>();
  const [removing, setRemoving] = useState<readonly Owner[]>();
  /** The last owner cannot be removed. */
  const handleRemove = (ticked: readonly Owner[]) => {
    const removable = ticked.filter(({ last }) => !last);
    if (removable.length === 0) showNotice(lastOwnerText);
    else setRemoving(removable);
    setNote(removable.length < ticked.length ? lastOwnerText : undefined);
  };
  return (
    <ListPage
      title="Server Admins"
      tools={
        <Button leftSection={<IconPlus size={17} />} onClick={() => setAdding(true)}>
          Add New Owner
        </Button>
      }
    >
      <RecordList
        label="Owners"
        query={({ search }) => ownersQuery(network, search)}
        columns={columns}
        nameOf={({ owner }) => owner}
        count={(loaded, total) => `${loaded} of ${total} owners`}
        emptyHint="Owners administer the network."
        actions={[
          {
            id: 'remove',
            icon: () => IconCircleMinus,
            label: ({ owner }) => `Remove ${owner}`,
            isOffered: ({ last }) => !last,
            onAct: (owner) => handleRemove([owner]),
          },
        ]}
        bulk={[{ label: 'remove', icon: IconCircleMinus, onAct: handleRemove }]}
      />
      <Suspense>{adding && <AddOwnerModal onClose={() => setAdding(false)} />}</Suspense>
      {removing && (
        <OneByOneDialog
          title="Confirm removing owner"
          text={
            removing.length === 1
              ? 'Are you sure you want to remove this owner? The person remains a user of the network.'
              : 'Are you sure you want to remove these owners? They remain users of the network.'
          }
          names={removing.map(({ owner }) => owner)}
          action="Remove"
          danger
          {...(note !== undefined && { note })}
          rows={removing}
          busyText={({ owner }) => `Removing ${owner}`}
          act={(owner) => deleteOwner(network, user, owner)}
          onReload={() => void reloadOwners(network)}
          // The remaining owner may now be the last one.
          onClose={() => {
            setRemoving(undefined);
            void reloadOwners(network);
          }}
        />
      )}
    </ListPage>
  );
}
