import { getSession } from '@opensocial/contract';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { call } from '../api/transport/caller.ts';
import { sessionUser } from '../testing/builders.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { answer, stubServer } from '../testing/stub-server.ts';
import { ConnectionNotice } from './connection-notice.tsx';

const text = /^The connection is lost/;
const works = () => stubServer({ 'GET /server/getsession': answer({ user: sessionUser(), csrf: '' }) });
const fails = () => vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
const ask = () => call(getSession, {}).catch(() => {});

afterEach(async () => {
  works();
  await ask();
});

const show = () =>
  renderScreen(
    {
      path: '*',
      element: (
        <>
          <input aria-label="Note" />
          <ConnectionNotice />
        </>
      ),
    },
    '/',
  );

test('states: a call without a response shows the lost connection; the next response removes the notice', async () => {
  fails();
  show();
  await userEvent.type(screen.getByRole('textbox'), 'half a sentence');
  await ask();
  expect(await screen.findByText(text)).toBeDefined();
  works();
  await ask();
  await waitFor(() => expect(screen.queryByText(text)).toBeNull());
  expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe('half a sentence');
});

test('states: an offline browser shows the notice, and the input is kept', async () => {
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  show();
  expect(screen.getByText(text)).toBeDefined();
  await userEvent.type(screen.getByRole('textbox'), 'typed');
  onLine.mockReturnValue(true);
  window.dispatchEvent(new Event('online'));
  await waitFor(() => expect(screen.queryByText(text)).toBeNull());
  expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe('typed');
  onLine.mockRestore();
});

test('states: an error response is not a lost connection', async () => {
  stubServer({});
  show();
  await ask();
  expect(screen.queryByText(text)).toBeNull();
});
