import {
  emptyTrash as emptyTrashCall,
  getTrashRetention,
  listTrash,
  removeFromTrash,
  restoreFromTrash,
} from '@opensocial/contract';
import type { Bind } from '../../http/bind.ts';
import type { Parts } from '../../parts.ts';
import { readTrash } from './trash.queries.ts';
import { restoreEntry } from './trash.restore.service.ts';
import { emptyTrash, removeEntry } from './trash.service.ts';

export const trashRoutes = (bind: Bind, parts: Parts): void => {
  const { db, config } = parts;

  bind(listTrash, async ({ network, params: { kind, keyword, lastid: lastId } }) => {
    const { rows, total, total_is_minimum } = await readTrash(db, network.id, {
      kind,
      keyword,
      lastId,
      size: config.pageSize,
    });
    return {
      entries: rows.map(({ deleted_at, expires_at, ...entry }) => ({
        ...entry,
        deleted_at: deleted_at.toISOString(),
        expires_at: expires_at.toISOString(),
      })),
      all_entries: total,
      total_is_minimum,
    };
  });

  bind(getTrashRetention, async () => ({ days: config.trashRetentionDays }));

  bind(restoreFromTrash, async ({ params, ...caller }) => {
    const notes = await restoreEntry(parts, caller, params.id);
    return { message: 'The deletion was undone.', notes };
  });

  bind(removeFromTrash, async ({ params, ...caller }) => {
    await removeEntry(parts, caller, params.id);
    return { message: 'It was permanently deleted.' };
  });

  bind(emptyTrashCall, async (caller) => {
    await emptyTrash(parts, caller);
    return { message: 'The trash is empty.' };
  });
};
