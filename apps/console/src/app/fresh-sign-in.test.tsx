import { beginPasskey } from '@opensocial/contract';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { tellSignedInAgain } from '../api/sign-in/fresh-sign-in.ts';
import { call, sessionKey } from '../api/transport/caller.ts';
import { queryClient } from '../api/transport/query-client.ts';
import { sessionUser } from '../testing/builders.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { answer, stubServer } from '../testing/stub-server.ts';
import { FreshSignIn } from './fresh-sign-in.tsx';

const sentence = 'Sign in again and confirm with your passkey.';

test('shows what the sign-in has to prove; a second refusal is thrown instead of asking again', async () => {
  const asked = stubServer({
    'GET /server/getsession': answer({ user: sessionUser(), csrf: '' }),
    'POST /server/sso/passkeys/options': {
      status: 401,
      body: { code: 'reauth_required', error: sentence, message: sentence },
    },
  });
  renderScreen({ path: '*', element: <FreshSignIn /> }, '/');
  const outcome = call(beginPasskey, {}).catch((error: unknown) => error);
  expect(await screen.findByText(new RegExp(`^${sentence}`))).toBeDefined();
  tellSignedInAgain();
  expect(await outcome).toMatchObject({ code: 'reauth_required', message: sentence });
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(asked.filter(({ path }) => path.endsWith('/passkeys/options'))).toHaveLength(2);
});

test('a sign-in by somebody else does not repeat the change, and offers to reload as that person', async () => {
  const refused = { status: 401, body: { code: 'reauth_required', error: sentence, message: sentence } };
  const asked = stubServer({
    'GET /server/getsession': answer({ user: sessionUser({ id: 2, username: 'ben@northlab.org' }), csrf: '' }),
    'POST /server/sso/passkeys/options': refused,
  });
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => {});
  queryClient.setQueryData(sessionKey, { user: sessionUser(), csrf: 'proof' });
  renderScreen({ path: '*', element: <FreshSignIn /> }, '/');
  void call(beginPasskey, {});
  expect(await screen.findByText(new RegExp(`^${sentence}`))).toBeDefined();
  tellSignedInAgain();
  expect(await screen.findByText(/^You signed in as ben@northlab.org. The change was not made./)).toBeDefined();
  expect(asked.filter(({ path }) => path.endsWith('/passkeys/options'))).toHaveLength(1);
  expect(reload).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole('button', { name: 'Reload the console' }));
  expect(reload).toHaveBeenCalledOnce();
  reload.mockRestore();
});
