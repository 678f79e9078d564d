import { useState } from 'react';
import type { Listed } from '../../api/transport/paged-query.ts';
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
  act: (row: Row) => Promise<unknown>;
  /** Navigates back to the assigned members, also after a cancellation. */
  onLeave: () => void;
};

/** A list of unassigned records to tick and assign. The button does nothing if no row is ticked (§5). */
export function AssignList<Row extends Listed>({ action, act, onLeave, ...list }: AssignListProps<Row>) {
  const [ticked, setTicked] = useState<readonly Row[]>([]);
  const { run, cancel, progress } = useOneByOne<Row>({ act, onEnd: onLeave, onCancelled: onLeave });
  const handleAct = () => {
    if (ticked.length > 0) void run(ticked);
  };
  return (
    <>
      <PanelList {...list} onTicked={setTicked} />
      <PanelFooter
        action={action}
        busy={progress !== undefined}
        onCancel={progress ? cancel : onLeave}
        onAct={handleAct}
      />
    </>
  );
}
