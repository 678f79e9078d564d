import { Button } from '@mantine/core';
import type { TrashEntry } from '@opensocial/contract';
import { IconArrowBackUp, IconTrash, IconTrashX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { markTrashStale, retentionQuery } from '../../api/trash/trash.ts';
import { EffectsDialog } from '../../patterns/confirm/effects-dialog.tsx';
import { OneByOneDialog } from '../../patterns/confirm/one-by-one-dialog.tsx';
import { describeEntryEffects } from '../../patterns/entry-effects/entry-effects.ts';
import { countOf } from '../../patterns/format/format.ts';
import { ListPage } from '../../patterns/record-list/list-page.tsx';
import { beginList } from '../../patterns/record-list/model/begin-list.ts';
import { RecordList } from '../../patterns/record-list/record-list.tsx';
import { restoreAll } from '../../patterns/toast/offer-undo.tsx';
import { EmptyTrashDialog } from './empty-trash-dialog.tsx';
import { deletePermanently, trashQuery } from './trash.api.ts';
import { trashColumns, trashFilters, trashLabel } from './trash-columns.tsx';
import classes from './trash-list.module.css';

export const beginTrashList = beginList(trashQuery, trashFilters);

/** §2.18, trash. */
export function TrashList() {
  const network = useAdminNetwork();
  const [deleting, setDeleting] = useState<readonly TrashEntry[]>();
  const [emptying, setEmptying] = useState(false);
  const { data: days } = useQuery(retentionQuery(network));
  const [asked, setAsked] = useState<{ entries: readonly TrashEntry[]; effects: readonly string[] }>();
  const restoreNow = (entries: readonly TrashEntry[]) =>
    void restoreAll(
      network,
      entries.map(({ id }) => id).toSorted((one, other) => one - other),
    );
  const findEffectsAndRestore = async (entries: readonly TrashEntry[], groups: readonly TrashEntry[]) => {
    const effects = await describeEntryEffects(network, { restored: groups.map(({ id }) => id) });
    if (effects.length > 0) setAsked({ entries, effects });
    else restoreNow(entries);
  };
  const restore = (entries: readonly TrashEntry[]) => {
    // A group that returns can be the first one of a site.
    const groups = entries.filter(({ kind }) => kind === 'group');
    if (groups.length === 0) restoreNow(entries);
    else void findEffectsAndRestore(entries, groups);
  };
  return (
    <ListPage
      title="Trash"
      tools={
        <Button variant="default" leftSection={<IconTrashX size={17} />} onClick={() => setEmptying(true)}>
          Empty trash
        </Button>
      }
    >
      {days !== undefined && <p className={classes.about}>{aboutText(days)}</p>}
      <RecordList
        label="Trash"
        query={(view) => trashQuery(network, view)}
        columns={trashColumns}
        nameOf={trashLabel}
        count={(loaded, total) => `${loaded} of ${total} items`}
        emptyHint="What you delete from sites, users, groups and images is kept here."
        filters={trashFilters}
        actions={[
          {
            id: 'restore',
            icon: () => IconArrowBackUp,
            label: (entry) => `Restore ${trashLabel(entry)}`,
            onAct: (entry) => restore([entry]),
          },
          {
            id: 'delete',
            icon: () => IconTrash,
            label: (entry) => `Delete ${trashLabel(entry)} permanently`,
            onAct: (entry) => setDeleting([entry]),
          },
        ]}
        bulk={[
          { label: 'restore', icon: IconArrowBackUp, onAct: restore },
          { label: 'delete permanently', icon: IconTrash, onAct: setDeleting },
        ]}
      />
      {deleting && (
        <OneByOneDialog
          title="Confirm deleting permanently"
          text={`Are you sure you want to permanently delete ${deleting.length === 1 ? 'this item' : 'these items'}? This cannot be undone.`}
          names={deleting.map(trashLabel)}
          action="Delete permanently"
          danger
          rows={deleting}
          busyText={(entry) => `Deleting ${trashLabel(entry)}`}
          act={(entry) => deletePermanently(network, entry)}
          onReload={() => void markTrashStale(network)}
          onClose={() => setDeleting(undefined)}
        />
      )}
      {asked && (
        <EffectsDialog
          effects={asked.effects}
          action="Restore"
          onConfirm={() => {
            setAsked(undefined);
            restoreNow(asked.entries);
          }}
          onCancel={() => setAsked(undefined)}
        />
      )}
      {emptying && <EmptyTrashDialog network={network} onClose={() => setEmptying(false)} />}
    </ListPage>
  );
}

const aboutText = (days: number): string =>
  days === 0
    ? 'Deleted objects are not kept, because TRASH_RETENTION_DAYS is 0.'
    : `Deleted sites, users, groups and images can be restored for ${countOf(days, 'day', 'days')}. Images in the trash count toward the storage of the network.`;
