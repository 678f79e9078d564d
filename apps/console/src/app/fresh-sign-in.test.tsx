import { beginPasskey, sessionUserHeader } from '@opensocial/contract';
import { useMutation } from '@tanstack/react-query';
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { tellSignedInAgain } from '../api/sign-in/fresh-sign-in.ts';
import { call, sessionKey } from '../api/transport/caller.ts';
import { queryClient } from '../api/transport/query-client.ts';
import { DialogButtons } from '../patterns/form/dialog-buttons.tsx';
import { showError } from '../patterns/toast/show-error.tsx';
import { sessionUser } from '../testing/builders.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { answer, refusal, stubServer } from '../testing/stub-server.ts';
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

const asksForSignIn = {
  'POST /server/sso/passkeys/options': {
    status: 401,
    body: { code: 'reauth_required', error: sentence, message: sentence },
  },
};
const nothingChanged = 'Nothing was changed, because you did not sign in again.';

test('a dismissed sign-in ends the call with the reason, for screens that show it in a toast', async () => {
  stubServer(asksForSignIn);
  renderScreen({ path: '*', element: <FreshSignIn /> }, '/');
  const outcome = call(beginPasskey, {}).catch((error: unknown) => error);
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }));
  const error = await outcome;
  expect(error).toMatchObject({ code: 'reauth_required', message: nothingChanged });
  showError(error);
  expect(await screen.findByText(nothingChanged)).toBeDefined();
});

test('a form whose sign-in was dismissed says so itself, without a toast, until it is sent again', async () => {
  stubServer(asksForSignIn);
  function Form() {
    const sending = useMutation({ mutationFn: () => call(beginPasskey, {}), onError: showError });
    return (
      <form
        onSubmit={(event) => {
          event.preventDefault();
          sending.mutate();
        }}
      >
        <DialogButtons action="Send" busy={sending.isPending} />
      </form>
    );
  }
  const { container } = renderScreen({ path: '*', element: [<Form key="form" />, <FreshSignIn key="dialogs" />] }, '/');
  const send = async () => {
    await userEvent.click(await screen.findByRole('button', { name: 'Send' }));
    return within(await screen.findByRole('dialog'));
  };
  await userEvent.click((await send()).getByRole('button', { name: 'Cancel' }));
  expect((await screen.findByText(nothingChanged)).closest('form')).not.toBeNull();
  expect(container.ownerDocument.querySelectorAll('.mantine-Notification-root')).toHaveLength(0);
  const again = await send();
  expect(screen.queryByText(nothingChanged)).toBeNull();
  await userEvent.click(again.getByRole('button', { name: 'Cancel' }));
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
  expect(
    await screen.findByText(/^This browser is now signed in as ben@northlab.org. Nothing was changed./),
  ).toBeDefined();
  expect(asked.filter(({ path }) => path.endsWith('/passkeys/options'))).toHaveLength(1);
  expect(reload).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole('button', { name: 'Reload the console' }));
  expect(reload).toHaveBeenCalledOnce();
  reload.mockRestore();
});

test('each call names the person shown; if another person has signed in since, nothing is changed and the console reloads', async () => {
  const other = sessionUser({ id: 2, username: 'ben@northlab.org' });
  const asked = stubServer({
    'GET /server/getsession': answer({ user: other, csrf: '' }),
    'POST /server/sso/passkeys/options': refusal('other_person'),
  });
  queryClient.setQueryData(sessionKey, { user: sessionUser(), csrf: 'proof' });
  renderScreen({ path: '*', element: <FreshSignIn /> }, '/');
  const settled = vi.fn();
  void call(beginPasskey, {}).finally(settled);
  expect(await screen.findByRole('dialog', { name: 'Another person has signed in' })).toBeDefined();
  expect(screen.getByText(/^This browser is now signed in as ben@northlab.org./)).toBeDefined();
  expect(asked[0]?.headers.get(sessionUserHeader)).toBe(String(sessionUser().id));
  expect(asked.filter(({ path }) => path.endsWith('/passkeys/options'))).toHaveLength(1);
  expect(settled).not.toHaveBeenCalled();
});
