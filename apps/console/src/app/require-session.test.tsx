import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { requireSession } from '../api/session/require-session.ts';
import { sessionUser } from '../testing/builders.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { answer, refusal, stubServer } from '../testing/stub-server.ts';
import { SessionErrorPage } from './route-errors.tsx';

const session = 'GET /server/getsession';
const leave = vi.spyOn(window.location, 'replace').mockImplementation(() => {});
afterEach(() => leave.mockClear());

const open = () =>
  renderScreen(
    {
      path: '*',
      loader: requireSession,
      HydrateFallback: () => 'spinner',
      ErrorBoundary: SessionErrorPage,
      Component: () => 'inside',
    },
    '/sites?page=2',
  );

test('§4 route guard: the screen waits for the session', async () => {
  stubServer({ [session]: answer({ user: sessionUser(), csrf: 'proof' }) });
  open();
  expect(screen.getByText('spinner')).toBeDefined();
  expect(await screen.findByText('inside')).toBeDefined();
});

test("§4 route guard: 'no session' redirects to the sign-in and renders nothing", async () => {
  window.history.replaceState(null, '', '/sites?page=2');
  stubServer({ [session]: answer({ user: 'no session', csrf: '' }) });
  open();
  await vi.waitFor(() => expect(leave).toHaveBeenCalledWith('/server/saml/login?next=%2Fsites%3Fpage%3D2'));
  expect(screen.queryByText('inside')).toBeNull();
});

test('§2.2 route guard: a server that is down shows the error panel, not a redirect, and a retry works', async () => {
  stubServer({ [session]: refusal('unavailable') });
  open();
  expect(
    await screen.findByText('Something went wrong with the SSO Server. Please try again or report an issue to support'),
  ).toBeDefined();
  expect(leave).not.toHaveBeenCalled();
  stubServer({ [session]: answer({ user: sessionUser(), csrf: 'proof' }) });
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('inside')).toBeDefined();
});
