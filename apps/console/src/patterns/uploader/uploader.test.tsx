import { ApiError } from '@opensocial/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { renderScreen } from '../../testing/render-screen.tsx';
import { Uploader } from './uploader.tsx';
import type { Upload } from './use-uploads.ts';

const file = (name: string, size = 10, type = 'image/png') => new File([new Uint8Array(size)], name, { type });

/** Uploads that the test completes one at a time. */
const gate = () => {
  const waiting: {
    name: string;
    progress: (percent: number) => void;
    signal: AbortSignal;
    settle: (error?: Error) => void;
  }[] = [];
  const upload: Upload = ({ name }, progress, signal) =>
    new Promise((resolve, reject) => {
      waiting.push({ name, progress, signal, settle: (error) => (error ? reject(error) : resolve(undefined)) });
    });
  return { waiting, upload: vi.fn(upload) };
};

const show = (props: Partial<Parameters<typeof Uploader>[0]> = {}) => {
  const held = gate();
  const onDone = vi.fn();
  const view = renderScreen({ path: '*', element: <Uploader upload={held.upload} onDone={onDone} {...props} /> }, '/');
  const input = () => screen.getByLabelText<HTMLInputElement>(/^Files?$/);
  const select = async (...files: File[]) => {
    await userEvent.setup({ applyAccept: false }).upload(input(), files);
  };
  return { ...held, ...view, onDone, input, select };
};

const row = async (name: string) => (await screen.findByText(name)).closest('li') as HTMLElement;
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

test('§2.15 uploader: files are Pending, Uploading with a percentage, then Completed, one by one', async () => {
  const { select, waiting, onDone } = show({ multiple: true });
  await select(file('one.png'), file('two.png'));
  expect(within(await row('one.png')).getByText('Pending')).toBeDefined();
  await press('Upload');
  expect(within(await row('one.png')).getByText('Uploading')).toBeDefined();
  expect(within(await row('two.png')).getByText('Pending')).toBeDefined();
  waiting[0]?.progress(42);
  expect(await screen.findByText('42 %')).toBeDefined();
  expect(screen.getByRole('progressbar', { name: 'Uploading one.png' }).getAttribute('value')).toBe('42');
  waiting[0]?.settle();
  await waitFor(async () => expect(within(await row('one.png')).getByText('Completed')).toBeDefined());
  expect(within(await row('two.png')).getByText('Uploading')).toBeDefined();
  expect(onDone).not.toHaveBeenCalled();
  waiting[1]?.settle();
  await waitFor(() => expect(onDone).toHaveBeenCalledOnce());
});

test('§4 upload: after all files succeed the list is emptied and the callback runs', async () => {
  const { select, waiting, onDone } = show();
  await select(file('me.png'));
  await row('me.png');
  await press('Upload');
  waiting[0]?.settle();
  await waitFor(() => expect(onDone).toHaveBeenCalledOnce());
  expect(screen.queryByText('me.png')).toBeNull();
  expect(await screen.findByText('File uploaded successfully')).toBeDefined();
});

test('§4 upload: a failure stops the upload and shows the reason; a retry continues from there', async () => {
  const { select, waiting, upload, onDone } = show({ multiple: true });
  await select(file('one.png'), file('two.png'));
  await row('one.png');
  await press('Upload');
  waiting[0]?.progress(80);
  waiting[0]?.settle(new ApiError('storage_full', { cause: { message: 'There is no room left' } }));
  await waitFor(async () => expect(within(await row('one.png')).getByText('Failed')).toBeDefined());
  expect(screen.getByText('There is no room left')).toBeDefined();
  expect(screen.queryByText('80 %')).toBeNull();
  expect(within(await row('two.png')).getByText('Pending')).toBeDefined();
  expect(upload).toHaveBeenCalledOnce();
  expect(onDone).not.toHaveBeenCalled();
  await press('Try again');
  expect(screen.queryByText('There is no room left')).toBeNull();
  waiting[1]?.settle();
  await waitFor(() => expect(waiting).toHaveLength(3));
  waiting[2]?.settle();
  await waitFor(() => expect(onDone).toHaveBeenCalledOnce());
  expect(waiting.map(({ name }) => name)).toEqual(['one.png', 'one.png', 'two.png']);
});

test('§4 upload: removing the failed file completes the upload of the others', async () => {
  const { select, waiting, onDone } = show({ multiple: true });
  await select(file('one.png'), file('two.png'));
  await row('one.png');
  await press('Upload');
  waiting[0]?.settle();
  await waitFor(() => expect(waiting).toHaveLength(2));
  waiting[1]?.settle(new TypeError('Failed to fetch'));
  await screen.findByText('Failed');
  await press('Remove two.png');
  expect(onDone).toHaveBeenCalledOnce();
  expect(screen.queryByRole('listitem')).toBeNull();
});

test('§4 upload: files added during an upload are uploaded too', async () => {
  const onBusyChange = vi.fn();
  const { select, waiting, onDone } = show({ multiple: true, startsAtOnce: true, onBusyChange });
  await select(file('one.png'));
  await waitFor(() => expect(waiting).toHaveLength(1));
  await select(file('two.png'));
  expect(within(await row('two.png')).getByText('Pending')).toBeDefined();
  expect(onBusyChange.mock.calls).toEqual([[true]]);
  waiting[0]?.settle();
  await waitFor(() => expect(waiting).toHaveLength(2));
  waiting[1]?.settle();
  await waitFor(() => expect(onDone).toHaveBeenCalledOnce());
  expect(onBusyChange.mock.calls).toEqual([[true], [false]]);
});

test('§5 uploader: in single mode only the first file counts', async () => {
  const { select, input } = show();
  expect(input().multiple).toBe(false);
  Object.assign(input(), { multiple: true });
  await select(file('one.png'), file('two.png'));
  await row('one.png');
  expect(screen.queryByText('two.png')).toBeNull();
  await select(file('three.png'));
  await row('three.png');
  expect(screen.queryByText('one.png')).toBeNull();
});

test('§5 uploader: in multiple mode the same name and size is the same file', async () => {
  const { select } = show({ multiple: true });
  await select(file('one.png'), file('one.png'), file('one.png', 20));
  await waitFor(() => expect(screen.getAllByText(/\.png$/)).toHaveLength(2));
  await select(file('one.png'), file('two.png'));
  await waitFor(() => expect(screen.getAllByText(/\.png$/)).toHaveLength(3));
});

test('§5 uploader: a file that is not an image is skipped with a toast', async () => {
  const { select } = show({ multiple: true });
  await select(file('report.pdf', 10, 'application/pdf'), file('one.png'));
  expect(await screen.findByText('Some selected files are not images.')).toBeDefined();
  await row('one.png');
  expect(screen.queryByText('report.pdf')).toBeNull();
});

const fileTypeFault =
  'The file type is not valid. Supported types: image/jpeg, image/png, image/jpg, image/svg, image/gif';

test.each([
  ['report.pdf', 'application/pdf', true],
  ['page.html', 'text/html', true],
  ['unknown.xyz', '', true],
  ['photo.webp', 'image/webp', false],
])('§5 uploader: %s (%s) has an unsupported type; toast: %s', async (name, type, hasToast) => {
  const { select } = show({ types: ['image/jpeg', 'image/png'] });
  await select(file(name, 10, type));
  expect(await screen.findByText(fileTypeFault)).toBeDefined();
  expect(screen.queryByText('Some selected files are not images.') !== null).toBe(hasToast);
});

test.each([
  [undefined, 2, 'File size too large, max size allowed is 2 MB'],
  [5 * 1024 * 1024, 5, 'File size too large, max size allowed is 5 MB'],
])('§9 uploader: with a maximum of %s it accepts %i MB and no more', async (maximumBytes, megabytes, text) => {
  const { select } = show({ multiple: true, ...(maximumBytes && { maximumBytes }) });
  const limit = megabytes * 1024 * 1024;
  await select(file('large.png', limit + 1), file('fits.png', limit));
  expect(await screen.findByText(text)).toBeDefined();
  expect(within(await row('fits.png')).getByText('Pending')).toBeDefined();
});

test('§2.15 uploader: dropped files are accepted like selected files', async () => {
  show();
  const area = screen.getByRole('group', { name: 'Drop area' });
  const dropped = { types: ['Files'], items: [{ kind: 'file', getAsFile: () => file('dropped.png') }] };
  fireEvent(area, Object.assign(new Event('drop', { bubbles: true }), { dataTransfer: dropped }));
  expect(within(await row('dropped.png')).getByText('Pending')).toBeDefined();
});

test('§5 uploader: a dropped file that is not an image also shows a toast', async () => {
  show({ types: ['image/png'] });
  const items = [{ kind: 'file', getAsFile: () => file('notes.txt', 10, 'text/plain') }];
  const area = screen.getByRole('group', { name: 'Drop area' });
  fireEvent(area, Object.assign(new Event('drop', { bubbles: true }), { dataTransfer: { types: ['Files'], items } }));
  expect(await screen.findByText('Some selected files are not images.')).toBeDefined();
  expect(await screen.findByText(fileTypeFault)).toBeDefined();
});

test('§4 upload: closing the panel aborts the running upload', async () => {
  const { select, waiting, unmount, onDone } = show();
  await select(file('me.png'));
  await row('me.png');
  await press('Upload');
  unmount();
  expect(waiting[0]?.signal.aborted).toBe(true);
  expect(onDone).not.toHaveBeenCalled();
});
