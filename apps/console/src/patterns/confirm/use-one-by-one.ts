import { useRef, useState } from 'react';
import { showError } from '../toast/show-error.tsx';

export type Progress<Row> = { row: Row; done: number; total: number };

type OneByOneParts<Row> = {
  act: (row: Row) => Promise<unknown>;
  /** Called after each success: the row leaves the list at once. */
  onDone?: (row: Row) => void;
  /** Called after the last row. */
  onEnd: () => void;
  /** Called after a cancellation (§4: the list is loaded again). */
  onCancelled: () => void;
};

/** Runs an action on rows one after the other. A failure shows an error toast, and the loop continues. */
export const useOneByOne = <Row>({ act, onDone, onEnd, onCancelled }: OneByOneParts<Row>) => {
  const [progress, setProgress] = useState<Progress<Row>>();
  const cancelled = useRef(false);

  const run = async (rows: readonly Row[]): Promise<void> => {
    cancelled.current = false;
    for (const [done, row] of rows.entries()) {
      if (cancelled.current) break;
      setProgress({ row, done, total: rows.length });
      try {
        // oxlint-disable-next-line no-await-in-loop -- the calls are sequential by design
        await act(row);
        onDone?.(row);
      } catch (error) {
        showError(error);
      }
    }
    setProgress(undefined);
    if (cancelled.current) onCancelled();
    else onEnd();
  };

  const cancel = () => {
    cancelled.current = true;
  };
  return { run, cancel, progress };
};
