import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { sessionKey } from '../../../api/transport/caller.ts';
import { queryClient } from '../../../api/transport/query-client.ts';
import { sessionUser } from '../../../testing/builders.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { answer, refusal, stubServer } from '../../../testing/stub-server.ts';
import { PasskeysCard } from './passkeys-card.tsx';

const passkey = { id: 3, name: 'My phone', backed_up: true, created: '2026-01-02T03:04:05.000Z', last_used: null };
const profile = {
  email: 'ana@northlab.org',
  first_name: 'Ana',
  last_name: 'Moreno',
  has_password: true,
  password_changed: null,
  recovery_codes: 3,
  sends_mail: true,
};

const showCard = (listed: Parameters<typeof stubServer>[0][string], more: Parameters<typeof stubServer>[0] = {}) => {
  queryClient.setQueryData(sessionKey, { user: sessionUser(), csrf: 'proof' });
  stubServer({
    'GET /server/sso/passkeys': listed,
    'GET /server/sso/mfa_status/ana%40northlab.org': answer('inactive'),
    ...more,
  });
  renderScreen({ path: '/', element: <PasskeysCard profile={profile} /> }, '/');
};

const knowsPasskeys = () => vi.stubGlobal('PublicKeyCredential', vi.fn());
const isSecure = (secure: boolean) => vi.stubGlobal('isSecureContext', secure);

test.each<[string, boolean, () => void, RegExp]>([
  ['our address has no name, or no https', false, knowsPasskeys, /^Passkeys need an https address with a domain name/],
  ['this page came by plain http', true, () => isSecure(false), /^Passkeys need https/],
  ['the browser does not know them', true, () => isSecure(true), /^This browser does not support passkeys/],
])(
  '§2.5 passkeys: where %s, none can be added, with a reason; existing passkeys are listed',
  async (_where, possible, arrange, why) => {
    arrange();
    showCard(answer({ passkeys: [passkey], possible }));
    expect(await screen.findByText(why)).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Add a passkey' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Remove My phone' })).toBeDefined();
  },
);

test('§2.5 passkeys: the card warns about few recovery codes if there is no authenticator', async () => {
  knowsPasskeys();
  showCard(answer({ passkeys: [passkey], possible: true }));
  expect((await screen.findByText('3 recovery codes left')).dataset['tone']).toBe('warn');
  expect(screen.getByText('Synced')).toBeDefined();
});

test('§8 passkeys that cannot be loaded show an error and a retry button', async () => {
  showCard(refusal('internal'));
  expect((await screen.findByRole('alert')).textContent).toBe('Your passkeys could not be loaded.');
  knowsPasskeys();
  stubServer({ 'GET /server/sso/passkeys': answer({ passkeys: [], possible: true }) });
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText(/^You have no passkeys yet/)).toBeDefined();
});

test('§2.5 passkeys: a refused request shows an error and opens no dialog', async () => {
  knowsPasskeys();
  showCard(answer({ passkeys: [], possible: true }), { 'POST /server/sso/passkeys/options': refusal('passkey_limit') });
  await userEvent.click(await screen.findByRole('button', { name: 'Add a passkey' }));
  expect(await screen.findByText(/^You have reached the maximum number of passkeys/)).toBeDefined();
  expect(screen.queryByRole('dialog')).toBeNull();
});
