import { useRef, useState } from 'react';
import { showError } from '../toast/show-error.tsx';

export type Progress<Row> = { row: Row; done: number; total: number };

type OneByOneParts<Row> = {
  act: (row: Row) => Promise<unknown>;
  /** After each that went well: the row leaves the list at once. */
  onDone?: (row: Row) => void;
  /** After the last one. */
  onEnd: () => void;
  /** §4: cancelling while busy reloads the list. */
  onCancelled: () => void;
};

/** Acts on rows one after the other. One that fails raises an error toast, and the loop goes on with the next. */
export const useOneByOne = <Row>({ act, onDone, onEnd, onCancelled }: OneByOneParts<Row>) => {
  const [progress, setProgress] = useState<Progress<Row>>();
  const cancelled = useRef(false);

  const run = async (rows: readonly Row[]): Promise<void> => {
    cancelled.current = false;
    for (const [done, row] of rows.entries()) {
      if (cancelled.current) break;
      setProgress({ row, done, total: rows.length });
      try {
        // oxlint-disable-next-line no-await-in-loop -- one by one is the point
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
