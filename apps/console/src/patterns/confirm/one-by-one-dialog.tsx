import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { formatNumber } from '../format/format.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { EffectList } from './effect-list.tsx';
import classes from './one-by-one-dialog.module.css';
import { useOneByOne } from './use-one-by-one.ts';

type OneByOneDialogProps<Row> = {
  title: string;
  text: string;
  action: string;
  danger?: boolean;
  rows: readonly Row[];
  /** The names of the rows. */
  names: readonly string[];
  /** Additional information above the buttons. */
  note?: string;
  /** Sentences about the people who are affected. The action waits until they are known. */
  effects?: (() => Promise<readonly string[]>) | undefined;
  /** For example 'Deleting reports.northlab.org'. */
  busyText: (row: Row) => string;
  act: (row: Row) => Promise<unknown>;
  onDone?: (row: Row) => void;
  /** Called when the user cancels: loads the list again if the action was running. */
  onReload: () => void;
  onClose: () => void;
};

/** A confirmation dialog that then runs the action on the rows one after the other, and can be cancelled. */
export function OneByOneDialog<Row>(props: OneByOneDialogProps<Row>) {
  const { rows, busyText, onReload, onClose } = props;
  const [stopping, setStopping] = useState(false);
  const effects = useEffects(props.effects);
  const { run, cancel, progress } = useOneByOne<Row>({
    act: props.act,
    ...(props.onDone && { onDone: props.onDone }),
    onEnd: onClose,
    onCancelled: () => {
      onReload();
      onClose();
    },
  });
  const handleCancel = () => {
    if (!progress) return onClose();
    setStopping(true);
    cancel();
  };
  return (
    <ConfirmDialog
      title={props.title}
      text={<Question text={props.text} names={props.names} note={props.note} />}
      action={props.action}
      danger={props.danger ?? false}
      disabled={effects === undefined}
      busy={progress !== undefined}
      busyText={progress && busyText(progress.row)}
      cancelText={stopping ? 'Stopping…' : 'Cancel'}
      onConfirm={() => void run(rows)}
      onCancel={handleCancel}
    >
      {!progress &&
        (effects ? <EffectList effects={effects} /> : <p className={classes.note}>Counting who is affected…</p>)}
      {progress && (
        <div className={classes.progress}>
          <progress aria-label={props.title} max={progress.total} value={progress.done} />
          <span>
            {formatNumber(progress.done)} of {formatNumber(progress.total)}
          </span>
        </div>
      )}
    </ConfirmDialog>
  );
}

/** Asked once for each dialog, because the answer changes with every change. Undefined while it is loaded. */
const useEffects = (find: OneByOneDialogProps<never>['effects']): readonly string[] | undefined => {
  const id = useId();
  const query = useQuery({
    queryKey: ['effects', id],
    queryFn: find ?? (async () => []),
    enabled: find !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return find ? query.data : [];
};

/** The maximum number of names shown. The rest is a number. */
const maxNames = 5;

type QuestionProps = { text: string; names: readonly string[]; note: string | undefined };

function Question({ text, names, note }: QuestionProps) {
  const more = names.length - maxNames;
  return (
    <>
      {text}
      <ul className={classes.names}>
        {names.slice(0, maxNames).map((name) => (
          <li key={name} title={name}>
            {name}
          </li>
        ))}
        {more > 0 && <li>and {formatNumber(more)} more</li>}
      </ul>
      {note && <p className={classes.note}>{note}</p>}
    </>
  );
}
