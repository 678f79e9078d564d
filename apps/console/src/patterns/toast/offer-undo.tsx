import { hideNotification, notifications } from '@mantine/notifications';
import { IconTrash } from '@tabler/icons-react';
import type { NetworkRef } from '../../api/transport/network-ref.ts';
import { markTrashStale, reloadAfterRestore, restoreEntry } from '../../api/trash/trash.ts';
import { formatNumber } from '../format/format.ts';
import classes from './offer-undo.module.css';
import { showError } from './show-error.tsx';
import { showNotice } from './show-notice.tsx';
import { showSuccess } from './show-success.tsx';

type Deleted = {
  /** The entries in the trash. */
  ids: readonly number[];
  /** For example 'reports.org was deleted.' */
  message: string;
};

/** Shows a toast with a button that restores what was just deleted. */
export const offerUndo = (network: Pick<NetworkRef, 'name'>, { ids, message }: Deleted): void => {
  void markTrashStale(network);
  if (ids.length === 0) return;
  const id = `undo-${ids.join('-')}`;
  const handleUndo = () => {
    hideNotification(id);
    void restoreAll(network, ids);
  };
  notifications.show({
    id,
    color: 'var(--muted)',
    icon: <IconTrash size={18} />,
    message: (
      <span className={classes.undo}>
        {message}
        <button type="button" className={classes.button} onClick={handleUndo}>
          Undo
        </button>
      </span>
    ),
  });
};

/** Restores entries one after the other, the one that was deleted last first. Says what could not be restored. */
export const restoreAll = async (network: Pick<NetworkRef, 'name'>, ids: readonly number[]): Promise<void> => {
  const notes: string[] = [];
  let restored = 0;
  for (const id of ids.toReversed()) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- in this order, because an object may belong to another one
      notes.push(...(await restoreEntry(network, id)));
      restored += 1;
    } catch (error) {
      showError(error);
    }
  }
  await reloadAfterRestore();
  if (restored > 0) showSuccess(restored === 1 ? 'Restored' : `${formatNumber(restored)} items restored`);
  for (const note of new Set(notes)) showNotice(note);
};
