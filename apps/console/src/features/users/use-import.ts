import type { ImportOutcome, ImportRow } from '@opensocial/contract';
import { useRef, useState } from 'react';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { showError } from '../../patterns/toast/show-error.tsx';
import { importRows, reloadUsers } from './users.api.ts';

/** The number of lines per request, small enough to show progress. */
const chunkSize = 100;

export type Line = ImportRow & ImportOutcome;

type State =
  | { step: 'choose' }
  | { step: 'working'; applying: boolean; done: number; total: number }
  | { step: 'preview' | 'report'; lines: readonly Line[]; isComplete: boolean };

/** The import of users: a dry run shows the outcome of each line, then the user starts the import. */
export const useImport = () => {
  const network = useAdminNetwork();
  const [state, setState] = useState<State>({ step: 'choose' });
  const stopped = useRef<AbortController>(undefined);

  const run = async (rows: readonly ImportRow[], applying: boolean): Promise<void> => {
    const controller = new AbortController();
    stopped.current = controller;
    const lines: Line[] = [];
    try {
      while (lines.length < rows.length && !controller.signal.aborted) {
        setState({ step: 'working', applying, done: lines.length, total: rows.length });
        const part = rows.slice(lines.length, lines.length + chunkSize);
        // oxlint-disable-next-line no-await-in-loop -- requests are sequential to show progress
        const { outcomes } = await importRows(network, part, applying);
        for (const [index, row] of part.entries()) {
          const outcome = outcomes[index];
          if (outcome) lines.push({ ...row, ...outcome });
        }
      }
    } catch (error) {
      showError(error);
    }
    if (applying) await reloadUsers(network);
    const isComplete = lines.length === rows.length;
    if (lines.length === 0) setState({ step: 'choose' });
    else setState({ step: applying ? 'report' : 'preview', lines, isComplete });
  };

  return {
    state,
    preview: (rows: readonly ImportRow[]) => run(rows, false),
    apply: (lines: readonly Line[]) =>
      run(
        lines.map(({ outcome: _outcome, detail: _detail, ...row }) => row),
        true,
      ),
    stop: () => stopped.current?.abort(),
    reset: () => setState({ step: 'choose' }),
  };
};
