import { useState } from 'react';
import type { Listed } from '../../api/transport/paged-query.ts';
import { useOneByOne } from '../confirm/use-one-by-one.ts';
import { PanelList } from '../panel-list/panel-list.tsx';
import type { ListDescription } from '../record-list/model/list-description.ts';
import { PanelFooter } from '../side-panel/panel-footer.tsx';

type AssignListProps<Row extends Listed> = Pick<
  ListDescription<Row>,
  'label' | 'query' | 'columns' | 'nameOf' | 'count' | 'emptyHint'
> & {
  /** 'assign groups'. */
  action: string;
  act: (row: Row) => Promise<unknown>;
  /** Back to what is assigned already, finished or not. */
  onLeave: () => void;
};

/** What is not assigned yet, to be ticked and assigned. With nothing ticked nothing happens (§5). */
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
