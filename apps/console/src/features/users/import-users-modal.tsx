import { Button, FileButton } from '@mantine/core';
import { IconDownload, IconFileTypeCsv } from '@tabler/icons-react';
import { useState } from 'react';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { useLacksMail } from '../../api/session/mail-delivery.ts';
import { writeCsv } from '../../patterns/csv/csv.ts';
import { CancelButton } from '../../patterns/dialog/cancel-button.tsx';
import { Dialog } from '../../patterns/dialog/dialog.tsx';
import { FormError } from '../../patterns/form/form-error.tsx';
import { FormWarning } from '../../patterns/form/form-warning.tsx';
import { countOf, formatNumber } from '../../patterns/format/format.ts';
import classes from './import-users-modal.module.css';
import { readUsersFile } from './read-users-file.ts';
import { type Line, useImport } from './use-import.ts';

type ImportUsersModalProps = { onClose: () => void };

const outcomeTexts: Record<Line['outcome'], string> = {
  create: 'are invited',
  update: 'join groups',
  unchanged: 'are not changed',
  duplicate: 'repeat the address of another line',
  refused: 'are refused',
};

const order = ['create', 'update', 'unchanged', 'duplicate', 'refused'] as const;

const changingOutcomes: readonly Line['outcome'][] = ['create', 'update'];

/** Imports users from a file. A preview shows the outcome of each line first. */
export function ImportUsersModal({ onClose }: ImportUsersModalProps) {
  const { state, preview, apply, stop, reset } = useImport();
  const lacksMail = useLacksMail(useAdminNetwork().name);
  const [fault, setFault] = useState<string>();
  const handleFile = async (file: File | null) => {
    if (!file) return;
    const read = readUsersFile(await file.text());
    if ('fault' in read) return setFault(read.fault);
    setFault(undefined);
    await preview(read.rows);
  };
  const isWorking = state.step === 'working';
  return (
    <Dialog
      onClose={isWorking ? stop : onClose}
      title="Import users"
      size={640}
      closeOnClickOutside={state.step === 'choose'}
      dirty={state.step === 'preview'}
    >
      <div className={classes.body}>
        {state.step === 'choose' && (
          <>
            <p>
              Choose a CSV file whose first line contains the column names: <code>email</code>, <code>firstname</code>,{' '}
              <code>lastname</code> and optionally <code>groups</code>, with a vertical bar between the names of groups.
              You see a preview before anything is changed.
            </p>
            {lacksMail && (
              <FormWarning>
                No mail server is set up, so new people get no email. You can create a link for each of them in their
                panel.
              </FormWarning>
            )}
            <FormError>{fault}</FormError>
            <div className={classes.buttons}>
              <CancelButton />
              <FileButton accept=".csv,text/csv" onChange={(file) => void handleFile(file)}>
                {(button) => (
                  <Button {...button} leftSection={<IconFileTypeCsv size={17} stroke={1.8} />}>
                    Choose a file
                  </Button>
                )}
              </FileButton>
            </div>
          </>
        )}
        {state.step === 'working' && (
          <>
            <p role="status">
              {state.applying ? 'Importing users' : 'Checking the file'} · {formatNumber(state.done)} of{' '}
              {formatNumber(state.total)}
            </p>
            <progress className={classes.progress} max={state.total} value={state.done} aria-label="Progress" />
            <div className={classes.buttons}>
              <Button variant="default" onClick={stop}>
                Stop
              </Button>
            </div>
          </>
        )}
        {(state.step === 'preview' || state.step === 'report') && (
          <>
            <Summary lines={state.lines} isDone={state.step === 'report'} isComplete={state.isComplete} />
            <LineTable lines={state.lines} />
            <div className={classes.buttons}>
              <Button
                component="a"
                href={`data:text/csv;charset=utf-8,${encodeURIComponent(reportOf(state.lines))}`}
                download="users-import.csv"
                variant="subtle"
                leftSection={<IconDownload size={17} stroke={1.8} />}
              >
                Download the report
              </Button>
              {state.step === 'report' ? (
                <Button onClick={onClose}>Close</Button>
              ) : (
                <>
                  <Button variant="default" onClick={reset}>
                    Another file
                  </Button>
                  <Button disabled={changing(state.lines) === 0} onClick={() => void apply(state.lines)}>
                    {importLabel(changing(state.lines))}
                  </Button>
                </>
              )}
            </div>
          </>
        )}
      </div>
    </Dialog>
  );
}

const changing = (lines: readonly Line[]): number =>
  lines.filter(({ outcome }) => changingOutcomes.includes(outcome)).length;

const importLabel = (count: number): string => `Import ${countOf(count, 'user', 'users')}`;

const reportOf = (lines: readonly Line[]): string =>
  writeCsv([
    ['email', 'firstname', 'lastname', 'groups', 'outcome', 'detail'],
    ...lines.map(({ email, firstname, lastname, groups, outcome, detail }) => [
      email,
      firstname,
      lastname,
      groups.join('|'),
      outcome,
      detail,
    ]),
  ]);

type SummaryProps = { lines: readonly Line[]; isDone: boolean; isComplete: boolean };

function Summary({ lines, isDone, isComplete }: SummaryProps) {
  return (
    <div role="status">
      <p>{isDone ? 'This is what happened:' : 'This is what would happen:'}</p>
      <ul className={classes.summary}>
        {order.map((outcome) => {
          const count = lines.filter((line) => line.outcome === outcome).length;
          return (
            count > 0 && (
              <li key={outcome} data-outcome={outcome}>
                <strong>{formatNumber(count)}</strong> {outcomeTexts[outcome]}
              </li>
            )
          );
        })}
      </ul>
      {!isComplete && (
        <p className={classes.fault}>The import was stopped. The report does not contain the remaining lines.</p>
      )}
    </div>
  );
}

/** The downloaded report contains all lines. */
const maxLines = 300;

type LineTableProps = { lines: readonly Line[] };

/** Lines with problems come first. */
function LineTable({ lines }: LineTableProps) {
  const shown = lines.toSorted((one, other) => order.indexOf(other.outcome) - order.indexOf(one.outcome));
  return (
    <div className={classes.scroller}>
      <table className={classes.table} aria-label="Lines of the file">
        <thead>
          <tr>
            <th scope="col">Email</th>
            <th scope="col">Outcome</th>
          </tr>
        </thead>
        <tbody>
          {shown.slice(0, maxLines).map((line, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- two lines may be the same
            <tr key={index}>
              <td title={line.email}>{line.email}</td>
              <td data-outcome={line.outcome}>
                {line.outcome}: {line.detail}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {lines.length > maxLines && (
        <p className={classes.more}>and {formatNumber(lines.length - maxLines)} more in the report</p>
      )}
    </div>
  );
}
