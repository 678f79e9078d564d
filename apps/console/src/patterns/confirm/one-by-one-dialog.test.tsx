import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { renderScreen } from '../../testing/render-screen.tsx';
import { OneByOneDialog } from './one-by-one-dialog.tsx';

/** Calls that the test completes one at a time. */
const gate = () => {
  const waiting: { row: string; settle: (error?: Error) => void }[] = [];
  const act = (row: string) =>
    new Promise<void>((resolve, reject) => {
      waiting.push({ row, settle: (error) => (error ? reject(error) : resolve()) });
    });
  return { waiting, act: vi.fn(act) };
};

const show = (act: (row: string) => Promise<unknown>) => {
  const handlers = { onDone: vi.fn(), onReload: vi.fn(), onClose: vi.fn() };
  const dialog = (
    <OneByOneDialog
      title="Confirm deleting site"
      text="Are you sure you want to delete the selected site ?"
      action="Delete"
      danger
      rows={['one', 'two', 'three']}
      names={['one', 'two', 'three']}
      busyText={(row) => `Deleting ${row}`}
      act={act}
      {...handlers}
    />
  );
  renderScreen({ path: '*', element: dialog }, '/');
  return handlers;
};

test('§4 delete flows: nothing happens before the confirmation', async () => {
  const { act } = gate();
  const { onClose, onReload } = show(act);
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(onClose).toHaveBeenCalledOnce();
  expect(act).not.toHaveBeenCalled();
  expect(onReload).not.toHaveBeenCalled();
});

test('§4 delete flows: items are deleted one by one, and the dialog shows the progress', async () => {
  const { act, waiting } = gate();
  const { onDone, onClose } = show(act);
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }));
  expect(screen.getByText('Deleting one')).toBeDefined();
  expect(screen.getByText('0 of 3')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }));
  expect(act).toHaveBeenCalledOnce();
  waiting[0]?.settle();
  expect(await screen.findByText('Deleting two')).toBeDefined();
  expect(onDone).toHaveBeenCalledWith('one');
  waiting[1]?.settle();
  await screen.findByText('Deleting three');
  waiting[2]?.settle();
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
});

test('§8 bulk deletes: a failing item raises an error toast and the loop continues', async () => {
  const { act, waiting } = gate();
  const { onDone } = show(act);
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }));
  waiting[0]?.settle(new TypeError('Failed to fetch'));
  expect(await screen.findByText(/^The server could not be reached/)).toBeDefined();
  expect(await screen.findByText('Deleting two')).toBeDefined();
  expect(onDone).not.toHaveBeenCalled();
});

test('§4 delete flows: cancelling while busy stops after the current item and reloads the list', async () => {
  const { act, waiting } = gate();
  const { onReload, onClose } = show(act);
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }));
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(onReload).not.toHaveBeenCalled();
  waiting[0]?.settle();
  await waitFor(() => expect(onReload).toHaveBeenCalledOnce());
  expect(onClose).toHaveBeenCalledOnce();
  expect(act).toHaveBeenCalledOnce();
});
