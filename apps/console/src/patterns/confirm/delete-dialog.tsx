import type { Removed } from '@opensocial/contract';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { NetworkRef } from '../../api/transport/network-ref.ts';
import { retentionQuery } from '../../api/trash/trash.ts';
import { countOf, formatNumber } from '../format/format.ts';
import { offerUndo } from '../toast/offer-undo.tsx';
import { OneByOneDialog } from './one-by-one-dialog.tsx';

type DeleteDialogProps<Row> = {
  network: NetworkRef;
  title: string;
  text: string;
  rows: readonly Row[];
  nameOf: (row: Row) => string;
  /** What several rows are called, such as 'sites'. */
  noun: string;
  note?: string | undefined;
  effects?: () => Promise<readonly string[]>;
  remove: (row: Row) => Promise<Removed>;
  onReload: () => void;
  onClose: () => void;
};

/** Confirms and deletes rows that go to the trash. Afterwards a toast offers to restore them. */
export function DeleteDialog<Row>(props: DeleteDialogProps<Row>) {
  const { network, rows, nameOf, noun, note } = props;
  const { data: days = 0 } = useQuery(retentionQuery(network));
  const deleted = useRef<{ names: string[]; ids: number[] }>({ names: [], ids: [] });
  const handleClose = () => {
    const { names, ids } = deleted.current;
    const [name, ...more] = names;
    if (name !== undefined)
      offerUndo(network, {
        ids,
        message: more.length === 0 ? `${name} was deleted.` : `${formatNumber(names.length)} ${noun} were deleted.`,
      });
    props.onClose();
  };
  const trashNote = days > 0 ? restorableText(rows.length, days) : undefined;
  const notes = [note, trashNote].filter((text) => text !== undefined).join(' ');
  return (
    <OneByOneDialog
      title={props.title}
      text={props.text}
      names={rows.map(nameOf)}
      action="Delete"
      danger
      {...(notes !== '' && { note: notes })}
      rows={rows}
      effects={props.effects}
      busyText={(row) => `Deleting ${nameOf(row)}`}
      act={async (row) => {
        const { trash_id } = await props.remove(row);
        deleted.current.names.push(nameOf(row));
        if (trash_id !== null) deleted.current.ids.push(trash_id);
      }}
      onReload={props.onReload}
      onClose={handleClose}
    />
  );
}

const restorableText = (count: number, days: number): string =>
  `You can restore ${count === 1 ? 'it' : 'them'} from the trash for ${countOf(days, 'day', 'days')}.`;
