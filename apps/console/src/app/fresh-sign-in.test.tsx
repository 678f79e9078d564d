import { beginPasskey } from '@opensocial/contract';
import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { call } from '../api/caller.ts';
import { tellSignedInAgain } from '../api/fresh-sign-in.ts';
import { sessionUser } from '../testing/builders.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { answer, stubServer } from '../testing/stub-server.ts';
import { FreshSignIn } from './fresh-sign-in.tsx';

const sentence = 'Sign in again and confirm with your passkey.';

test('says what the sign-in has to prove; a second refusal is told, and not asked again', async () => {
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
