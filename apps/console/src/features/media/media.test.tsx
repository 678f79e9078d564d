import type { Image } from '@opensocial/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { sessionKey } from '../../api/transport/caller.ts';
import { queryClient } from '../../api/transport/query-client.ts';
import { stubLayout } from '../../testing/layout.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { answer, refusal, stubServer } from '../../testing/stub-server.ts';
import { stubUpload } from '../../testing/stub-upload.ts';
import { MediaLibraryModal } from './media-library-modal.tsx';

beforeEach(() => stubLayout());

const image = (changes: Partial<Image> = {}): Image => ({
  id: 1,
  name: 'a1.png',
  alt_text: '',
  title: 'Logo',
  caption: '',
  description: '',
  created: '2026-10-12T09:30:00.000Z',
  size: 128,
  width: 400,
  height: 120,
  file_name: 'logo.png',
  url: '/server/sso/sso_images/image/a1.png',
  thumbnail: '/server/sso/sso_images/image/a1.png?thumbnail',
  ...changes,
});

const logo = image({ id: 3, name: 'c3.png', title: 'Logo' });
const hall = image({ id: 2, name: 'b2.png', title: '', file_name: 'hall.jpg', size: 2_560, width: 1920, height: 1200 });
const door = image({ id: 1, name: 'a1.png', title: 'Door' });
const listed = 'GET /server/sso/sso_images/northlab/0';

const show = (answers: Parameters<typeof stubServer>[0] = {}, props = {}) => {
  const asked = stubServer({ [listed]: answer({ images: [logo, hall, door], all_images: 3 }), ...answers });
  const handlers = { onChoose: vi.fn(), onCancel: vi.fn() };
  const element = <MediaLibraryModal network="northlab" kind="image" {...handlers} {...props} />;
  return { asked, ...handlers, ...renderScreen({ path: '*', element }, '/') };
};

const thumbnail = (name: string) => screen.findByRole('option', { name });
const names = () =>
  within(screen.getByRole('listbox'))
    .getAllByRole('option')
    .map((option) => option.getAttribute('aria-label'));
const isOpen = (tab: string) => screen.getByRole('tab', { name: tab }).getAttribute('aria-selected') === 'true';
const use = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Use this image' });
const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
const open = async (name: string, answers = {}) => {
  const view = show(answers);
  await userEvent.click(await thumbnail(name));
  await screen.findByRole('heading', { name });
  return view;
};

describe('§2.15 media library', () => {
  test('has the tabs Media Library and Upload Files, and Cancel returns nothing', async () => {
    const { onCancel, onChoose } = show();
    await thumbnail('Logo');
    expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual(['Media Library', 'Upload Files']);
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(onCancel).toHaveBeenCalledOnce();
    expect(onChoose).not.toHaveBeenCalled();
  });

  test('lists the thumbnails with their count', async () => {
    show();
    await thumbnail('Logo');
    expect(names()).toEqual(['Logo', 'hall.jpg', 'Door']);
    expect(screen.getByText('3 of 3 images')).toBeDefined();
    expect((await thumbnail('Logo')).querySelector('img')?.getAttribute('src')).toBe(logo.thumbnail);
  });

  test("'Use this image' returns the selected image", async () => {
    const { onChoose } = show();
    await thumbnail('hall.jpg');
    expect(use().disabled).toBe(true);
    await userEvent.click(await thumbnail('hall.jpg'));
    await userEvent.click(use());
    expect(onChoose).toHaveBeenCalledWith(hall);
  });

  test('a double click selects and uses', async () => {
    const { onChoose } = show();
    await userEvent.dblClick(await thumbnail('Door'));
    expect(onChoose).toHaveBeenCalledWith(door);
  });

  test('the current image is selected when the library opens, also on a later page', async () => {
    const old = image({ id: 9, name: 'old.png', title: 'Old' });
    show({ 'GET /server/sso/sso_images/image/old.png': answer(old) }, { chosen: 'old.png' });
    expect(await screen.findByRole('heading', { name: 'Old' })).toBeDefined();
    expect(use().disabled).toBe(false);
  });

  test('a deleted current image leaves nothing selected', async () => {
    show({}, { chosen: 'gone.png' });
    await thumbnail('Logo');
    expect(use().disabled).toBe(true);
  });

  test('a search starts at 2 characters, and clearing it shows all', async () => {
    const found = 'GET /server/sso/sso_images/northlab/search/ha/0';
    const { asked } = show({ [found]: answer({ images: [hall], all_images: 1 }) });
    await thumbnail('Logo');
    const search = screen.getByRole('textbox', { name: 'Search images' });
    await userEvent.type(search, 'h');
    await userEvent.type(search, 'a');
    expect(await screen.findByText('1 of 1 images')).toBeDefined();
    expect(asked.map(({ path }) => path)).not.toContain('/server/sso/sso_images/northlab/search/h/0');
    await userEvent.keyboard('{Escape}');
    expect(await screen.findByText('3 of 3 images')).toBeDefined();
    expect(screen.getByRole('dialog')).toBeDefined();
  });

  test("the date filter has only 'All dates'", async () => {
    show();
    const dates = await screen.findByRole('combobox', { name: 'Date' });
    expect(
      within(dates)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['All dates']);
  });

  test('arrow keys move between the thumbnails; Enter and space select', async () => {
    show();
    (await thumbnail('Logo')).focus();
    await userEvent.keyboard('{ArrowRight}{ArrowRight}{Enter}');
    expect(document.activeElement).toBe(await thumbnail('Door'));
    expect(await screen.findByRole('heading', { name: 'Door' })).toBeDefined();
    await userEvent.keyboard('{Home} ');
    expect(await screen.findByRole('heading', { name: 'Logo' })).toBeDefined();
    expect((await thumbnail('Logo')).getAttribute('aria-selected')).toBe('true');
    await userEvent.keyboard('{ArrowUp}{ArrowLeft}');
    expect(document.activeElement).toBe(await thumbnail('Logo'));
  });

  test('the detail panel describes the image', async () => {
    await open('hall.jpg');
    for (const text of ['hall.jpg', 'Oct 12, 2026', '2.5 MB', '1920 × 1200']) {
      expect(screen.getAllByText(text).length).toBeGreaterThan(0);
    }
    for (const name of ['Alt text', 'Title', 'Caption', 'Description']) expect(field(name)).toBeDefined();
  });

  test('copies the complete link', async () => {
    const user = userEvent.setup();
    show();
    await user.click(await thumbnail('Door'));
    await user.click(await screen.findByRole('button', { name: 'Copy link' }));
    expect(await navigator.clipboard.readText()).toBe('http://localhost:8080/server/sso/sso_images/image/a1.png');
    expect(await screen.findByRole('button', { name: 'Link copied' })).toBeDefined();
  });

  test('the next page is requested within 5 px of the bottom', async () => {
    const height = vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockReturnValue(1_000);
    const { asked } = show({
      [listed]: answer({ images: [logo, hall], all_images: 3 }),
      'GET /server/sso/sso_images/northlab/2': answer({ images: [door], all_images: 3 }),
    });
    const scroller = (await thumbnail('Logo')).closest('[role="listbox"]')?.parentElement as HTMLElement;
    expect(screen.getByText('2 of 3 images')).toBeDefined();
    const next = () => asked.some(({ path }) => path === '/server/sso/sso_images/northlab/2');
    fireEvent.scroll(scroller, { target: { scrollTop: 594 } });
    expect(next()).toBe(false);
    fireEvent.scroll(scroller, { target: { scrollTop: 595 } });
    expect(await screen.findByText('3 of 3 images')).toBeDefined();
    expect(next()).toBe(true);
    height.mockRestore();
  });

  test('an empty library says how to fill it, with a link', async () => {
    show({ [listed]: answer({ images: [], all_images: 0 }) });
    expect(await screen.findByText('There is no record in database')).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Upload images' }));
    expect(isOpen('Upload Files')).toBe(true);
  });

  test('a search without a match offers to show all', async () => {
    show({ 'GET /server/sso/sso_images/northlab/search/xyz/0': answer({ images: [], all_images: 0 }) });
    await thumbnail('Logo');
    await userEvent.type(screen.getByRole('textbox', { name: 'Search images' }), 'xyz');
    expect(await screen.findByText('No results for “xyz”')).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Show all' }));
    expect(await thumbnail('Logo')).toBeDefined();
  });

  test('§8 a failed load shows the error panel, and a retry works', async () => {
    show({ [listed]: refusal('internal') });
    expect(await screen.findByText(/^Something went wrong with the SSO Server/)).toBeDefined();
    stubServer({ [listed]: answer({ images: [logo], all_images: 1 }) });
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await thumbnail('Logo')).toBeDefined();
  });

  test('§7.3 icon pictures are a separate library', async () => {
    const { asked } = show(
      {
        'GET /server/sso/icon_images/northlab/0': answer({ images: [door], all_images: 1 }),
        'PUT /server/sso/icon_images/1': answer({ ...door, title: 'Gate' }),
        'DELETE /server/sso/icon_images/northlab/a1.png': answer({ message: 'Deleted' }),
      },
      { kind: 'icon' },
    );
    await userEvent.click(await thumbnail('Door'));
    await userEvent.type(await screen.findByRole('textbox', { name: 'Title' }), '!');
    await userEvent.tab();
    expect(await screen.findByText('Saved.')).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Delete Permanently' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('There is no record in database')).toBeDefined();
    expect(asked.every(({ path }) => path.startsWith('/server/sso/icon_image'))).toBe(true);
  });
});

describe('§4 image detail edits', () => {
  const saved = { 'PUT /server/sso/sso_images/3': answer({ ...logo, caption: 'Blue' }) };
  const puts = (asked: ReturnType<typeof stubServer>) => asked.filter(({ body }) => body);

  test("typing saves after a pause, once, and shows 'Saved.' for 2 seconds", async () => {
    const { asked } = await open('Logo', saved);
    const timers = vi.spyOn(globalThis, 'setTimeout');
    for (const value of ['B', 'Bl', 'Blue']) fireEvent.change(field('Caption'), { target: { value } });
    expect(puts(asked)).toHaveLength(0);
    expect(await screen.findByText('Saved.')).toBeDefined();
    expect(puts(asked).map(({ body }) => body)).toEqual([
      { alt_text: '', title: 'Logo', caption: 'Blue', description: '' },
    ]);
    expect(timers).toHaveBeenCalledWith(expect.any(Function), 2_000);
    await waitFor(() => expect(screen.queryByText('Saved.')).toBeNull());
  });

  test('leaving the field saves immediately, and leaving it unchanged saves nothing', async () => {
    const { asked } = await open('Logo', { 'PUT /server/sso/sso_images/3': answer({ ...logo, title: 'Blue logo' }) });
    await userEvent.click(field('Alt text'));
    await userEvent.tab();
    await userEvent.type(field('Title'), '!');
    await userEvent.tab();
    expect(puts(asked)).toHaveLength(1);
    expect(await screen.findByText('Saved.')).toBeDefined();
    expect(await thumbnail('Blue logo')).toBeDefined();
  });

  test('the last edit is saved if the library is closed right after it', async () => {
    const { asked, unmount } = await open('Logo', saved);
    await userEvent.type(field('Caption'), 'Blue');
    unmount();
    await waitFor(() => expect(puts(asked)).toHaveLength(1));
  });

  test('§8 a failure shows the message of the server, and the input is kept', async () => {
    await open('Logo', { 'PUT /server/sso/sso_images/3': refusal('invalid_input') });
    await userEvent.type(field('Caption'), 'Blue');
    await userEvent.tab();
    expect(await screen.findByText('Some of the values are not valid.')).toBeDefined();
    expect(field('Caption').value).toBe('Blue');
    expect(screen.queryByText('Saved.')).toBeNull();
  });
});

describe('§2.15 delete permanently', () => {
  const text = 'You are about to permanently delete this item from your site: This action cannot be undone.';
  const ask = async (answers = {}) => {
    const view = await open('hall.jpg', answers);
    await userEvent.click(screen.getByRole('button', { name: 'Delete Permanently' }));
    await screen.findByText(text);
    return view;
  };
  const deletions = (asked: ReturnType<typeof stubServer>) =>
    asked.filter(({ path }) => path.startsWith('/server/sso/sso_images/b2.png'));

  test('asks for confirmation; Cancel and Escape keep the image, the open library and the focus', async () => {
    const { asked, onCancel } = await ask();
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByText(text)).toBeNull());
    expect(onCancel).not.toHaveBeenCalled();
    expect(document.activeElement?.textContent).toBe('Delete Permanently');
    expect(deletions(asked)).toHaveLength(0);
  });

  test('deletes, and the focus moves to a remaining image', async () => {
    const { asked } = await ask({ 'DELETE /server/sso/sso_images/b2.png': answer({ message: 'Deleted' }) });
    await userEvent.click(screen.getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('2 of 2 images')).toBeDefined();
    expect(names()).toEqual(['Logo', 'Door']);
    expect(use().disabled).toBe(true);
    expect(deletions(asked)).toHaveLength(1);
    await waitFor(async () => expect(document.activeElement).toBe(await thumbnail('Door')));
  });

  test('an image in use says where, and is deleted after a second confirmation', async () => {
    const inUse = {
      ...refusal('image_in_use'),
      body: { code: 'image_in_use', message: 'It is the logo of reports.' },
    };
    const { asked } = await ask({ 'DELETE /server/sso/sso_images/b2.png': inUse });
    await userEvent.click(screen.getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('It is the logo of reports.')).toBeDefined();
    expect(deletions(asked)).toHaveLength(1);
    const forced = stubServer({ 'DELETE /server/sso/sso_images/b2.png': answer({ message: 'Deleted' }) });
    await userEvent.click(screen.getByRole('button', { name: 'Delete anyway' }));
    expect(await screen.findByText('2 of 2 images')).toBeDefined();
    expect(forced.map(({ path }) => path)).toContain('/server/sso/sso_images/b2.png?force=true');
  });

  test('§8 another failure shows a toast, and the dialog stays open', async () => {
    await ask({ 'DELETE /server/sso/sso_images/b2.png': refusal('unavailable') });
    await userEvent.click(screen.getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText(/^The service is not available/)).toBeDefined();
    expect(screen.getByText(text)).toBeDefined();
  });
});

describe('§4 upload', () => {
  const added = image({ id: 4, name: 'd4.png', title: '', file_name: 'new.png' });
  const fetched = { 'GET /server/sso/sso_images/image/d4.png': answer(added) };
  const file = (name: string, type = 'image/png') => new File(['bytes'], name, { type });
  const send = async (files: File[], answers = {}) => {
    const sent = stubUpload();
    queryClient.setQueryData(sessionKey, { user: 'no session', csrf: 'proof' });
    const view = show(answers);
    await thumbnail('Logo');
    await userEvent.click(screen.getByRole('tab', { name: 'Upload Files' }));
    await userEvent.setup({ applyAccept: false }).upload(screen.getByLabelText('Files'), files);
    return { ...view, sent };
  };

  test('shows the percentage, then puts the new image first and selects it', async () => {
    const { sent } = await send([file('new.png')], fetched);
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.path).toBe('POST /prxy/api/image_upload');
    expect(sent[0]?.headers.get('x-csrf')).toBe('proof');
    expect([...(sent[0]?.form.keys() ?? [])]).toEqual(['sso_server', 'size', 'image']);
    expect(sent[0]?.form.get('sso_server')).toBe('northlab');
    sent[0]?.progress(37);
    expect(await screen.findByText('37 %')).toBeDefined();
    sent[0]?.answer(200, { message: 'd4.png' });
    await waitFor(() => expect(isOpen('Media Library')).toBe(true));
    expect(names()).toEqual(['new.png', 'Logo', 'hall.jpg', 'Door']);
    expect((await thumbnail('new.png')).getAttribute('aria-selected')).toBe('true');
    expect(screen.getByText('4 of 4 images')).toBeDefined();
    expect(await screen.findByText('File uploaded successfully')).toBeDefined();
  });

  test('a failure shows the error and resets the progress', async () => {
    const { sent } = await send([file('new.png')]);
    await waitFor(() => expect(sent).toHaveLength(1));
    sent[0]?.progress(90);
    await screen.findByText('90 %');
    const { status, body } = refusal('library_full');
    sent[0]?.answer(status, body);
    expect(await screen.findByText(/^The media library of this network is full/)).toBeDefined();
    expect(screen.getByText('Failed')).toBeDefined();
    expect(screen.queryByText('90 %')).toBeNull();
    expect(isOpen('Upload Files')).toBe(true);
  });

  test('clears the search, so that the new image is visible', async () => {
    const found = 'GET /server/sso/sso_images/northlab/search/door/0';
    const sent = stubUpload();
    show({ ...fetched, [found]: answer({ images: [door], all_images: 1 }) });
    await thumbnail('Logo');
    await userEvent.type(screen.getByRole('textbox', { name: 'Search images' }), 'door');
    await screen.findByText('1 of 1 images');
    await userEvent.click(screen.getByRole('tab', { name: 'Upload Files' }));
    await userEvent.upload(screen.getByLabelText('Files'), file('new.png'));
    await waitFor(() => expect(sent).toHaveLength(1));
    sent[0]?.answer(200, { message: 'd4.png' });
    expect(await screen.findByText('4 of 4 images')).toBeDefined();
    expect(field('Search images').value).toBe('');
  });

  test('Escape does not close the library during an upload, and Cancel aborts it', async () => {
    const { sent, onCancel, unmount } = await send([file('new.png')]);
    await waitFor(() => expect(sent).toHaveLength(1));
    await userEvent.keyboard('{Escape}');
    expect(onCancel).not.toHaveBeenCalled();
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(onCancel).toHaveBeenCalledOnce();
    unmount();
    expect(sent[0]?.isAborted).toBe(true);
  });

  test.each([
    ['report.pdf', 'application/pdf'],
    ['photo.webp', 'image/webp'],
    ['photo.tiff', 'image/tiff'],
  ])('§5 %s is refused before the upload', async (name, type) => {
    const { sent } = await send([file(name, type)]);
    const text = 'The file type is not valid. Supported types: image/jpeg, image/png, image/jpg, image/svg, image/gif';
    expect(await screen.findByText(text)).toBeDefined();
    expect(sent).toHaveLength(0);
  });

  test('§5 a file of more than 100 MB is refused before the upload', async () => {
    const large = Object.defineProperty(file('large.png'), 'size', { value: 100 * 1024 * 1024 + 1 });
    const { sent } = await send([large]);
    expect(await screen.findByText('File size too large, max size allowed is 100 MB')).toBeDefined();
    expect(sent).toHaveLength(0);
  });

  test.each(['image/jpeg', 'image/png', 'image/gif', 'image/svg+xml'])('§5 %s is accepted', async (type) => {
    const { sent } = await send([file('a', type)]);
    await waitFor(() => expect(sent).toHaveLength(1));
  });
});
