import { useState } from 'react';
import type { Listed } from '../../api/transport/paged-query.ts';
import { EffectsDialog } from '../confirm/effects-dialog.tsx';
import { useOneByOne } from '../confirm/use-one-by-one.ts';
import { PanelList } from '../panel-list/panel-list.tsx';
import type { ListDescription } from '../record-list/model/list-description.ts';
import { PanelFooter } from '../side-panel/panel-footer.tsx';

type AssignListProps<Row extends Listed> = Pick<
  ListDescription<Row>,
  'label' | 'query' | 'columns' | 'nameOf' | 'count' | 'emptyHint' | 'tools'
> & {
  /** For example 'assign groups'. */
  action: string;
  /** Sentences about the people who are affected. If there are any, a dialog shows them first. */
  effects?: (rows: readonly Row[]) => Promise<readonly string[]>;
  act: (row: Row) => Promise<unknown>;
  /** Navigates back to the assigned members, also after a cancellation. */
  onLeave: () => void;
};

/** A list of unassigned records to tick and assign. The button does nothing if no row is ticked (§5). */
export function AssignList<Row extends Listed>({
  action,
  effects: findEffects,
  act,
  onLeave,
  ...list
}: AssignListProps<Row>) {
  const [ticked, setTicked] = useState<readonly Row[]>([]);
  const { run, cancel, progress } = useOneByOne<Row>({ act, onEnd: onLeave, onCancelled: onLeave });
  const [counting, setCounting] = useState(false);
  const [effects, setEffects] = useState<readonly string[]>([]);
  const findFirst = async (find: NonNullable<typeof findEffects>) => {
    setCounting(true);
    const found = await find(ticked);
    setCounting(false);
    if (found.length > 0) setEffects(found);
    else await run(ticked);
  };
  const handleAct = () => {
    if (ticked.length === 0) return;
    void (findEffects ? findFirst(findEffects) : run(ticked));
  };
  const handleConfirm = () => {
    setEffects([]);
    void run(ticked);
  };
  return (
    <>
      <PanelList {...list} onTicked={setTicked} />
      <PanelFooter
        action={action}
        busy={counting || progress !== undefined}
        onCancel={progress ? cancel : onLeave}
        onAct={handleAct}
      />
      {effects.length > 0 && (
        <EffectsDialog effects={effects} action={action} onConfirm={handleConfirm} onCancel={() => setEffects([])} />
      )}
    </>
  );
}
