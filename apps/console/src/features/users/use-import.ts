import type { ImportOutcome, ImportRow } from '@opensocial/contract';
import { useRef, useState } from 'react';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { showError } from '../../patterns/toast/show-error.tsx';
import { importRows, reloadUsers } from './users.api.ts';

/** The number of lines per request, small enough to show progress. */
const chunkSize = 100;

/** `duplicate`: an earlier line has the same address. The server learns of one of them only. */
export type Line = ImportRow & { outcome: ImportOutcome['outcome'] | 'duplicate'; detail: string };

type State =
  | { step: 'choose' }
  | { step: 'working'; applying: boolean; done: number; total: number }
  | { step: 'preview' | 'report'; lines: readonly Line[]; isComplete: boolean };

/** The lines that the server decides about, and those that repeat an address. */
type Rows = { rows: readonly ImportRow[]; repeated: readonly Line[] };

/** The import of users: a dry run shows the outcome of each line, then the user starts the import. */
export const useImport = () => {
  const network = useAdminNetwork();
  const [state, setState] = useState<State>({ step: 'choose' });
  const stopped = useRef<AbortController>(undefined);

  const run = async ({ rows, repeated }: Rows, applying: boolean): Promise<void> => {
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
    lines.push(...repeated);
    if (lines.length === 0) setState({ step: 'choose' });
    else setState({ step: applying ? 'report' : 'preview', lines, isComplete });
  };

  return {
    state,
    preview: (rows: readonly ImportRow[]) => run(withoutRepeats(rows), false),
    apply: (lines: readonly Line[]) =>
      run(
        {
          rows: lines.filter(isSent).map(({ outcome: _outcome, detail: _detail, ...row }) => row),
          repeated: lines.filter((line) => !isSent(line)),
        },
        true,
      ),
    stop: () => stopped.current?.abort(),
    reset: () => setState({ step: 'choose' }),
  };
};

const isSent = ({ outcome }: Line): boolean => outcome !== 'duplicate';

/** The first line of each address, and the other lines with it. The first line of a file has the names of the columns. */
const withoutRepeats = (all: readonly ImportRow[]): Rows => {
  const firstLines = new Map<string, number>();
  const rows: ImportRow[] = [];
  const repeated: Line[] = [];
  for (const [index, row] of all.entries()) {
    const address = row.email.toLowerCase();
    const first = firstLines.get(address);
    if (first === undefined || address === '') {
      firstLines.set(address, index + 2);
      rows.push(row);
    } else
      repeated.push({
        ...row,
        outcome: 'duplicate',
        detail: `Line ${first} has the same address and is used instead.`,
      });
  }
  return { rows, repeated };
};
