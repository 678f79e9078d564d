import type { OidcKey } from '@opensocial/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import { stubLayout } from '../../../testing/layout.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { answer, refusal, stubServer } from '../../../testing/stub-server.ts';
import { OidcKeysSection } from './oidc-keys-section.tsx';

beforeEach(() => stubLayout());

const oidcKey = (changes: Partial<OidcKey> = {}): OidcKey => ({
  id: 1,
  algorithm: 'RS256',
  state: 'current',
  kid: 'first',
  created_at: '2026-01-01T00:00:00.000Z',
  changes_at: null,
  ...changes,
});
const next = oidcKey({ id: 3, state: 'next', kid: 'third', changes_at: '2026-03-02T10:00:00.000Z' });

const path = '/server/sso/oidc_keys/northlab';
const show = (keys: OidcKey[], answers = {}) => {
  const asked = stubServer({ [`GET ${path}`]: answer({ keys }), ...answers });
  const network = { id: 7, name: 'northlab', sso_id: 'sso-northlab' };
  renderScreen({ path: '*', element: <OidcKeysSection network={network} /> }, '/');
  return asked;
};
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

describe('§2.10 Keys for OpenID Connect', () => {
  test('a key is replaced after a confirmation', async () => {
    const asked = show([oidcKey()], { [`POST ${path}`]: answer({ message: 'The new key is published.' }) });
    await press('Replace this key');
    expect(screen.getByText(/Nobody is signed out/)).toBeDefined();
    await press('Replace the key');
    await waitFor(() => expect(screen.getByText('The new key is published.')).toBeDefined());
    expect(asked.find(({ body }) => body)?.body).toEqual({ algorithm: 'RS256', is_compromised: false });
  });

  test('a compromised key is revoked, and a refusal is shown', async () => {
    const asked = show([oidcKey()], { [`POST ${path}`]: refusal('too_many') });
    await press('Revoke this key');
    await press('Revoke the key');
    await waitFor(() => expect(asked.some(({ body }) => body)).toBe(true));
    expect(asked.find(({ body }) => body)?.body).toEqual({ algorithm: 'RS256', is_compromised: true });
    expect(await screen.findByRole('alert')).toBeDefined();
  });

  test('a key with a successor is not replaced again, and each says what happens next', async () => {
    show([oidcKey(), next]);
    const cards = await screen.findAllByRole('article');
    expect(cards).toHaveLength(2);
    expect(screen.queryByRole('button', { name: 'Replace this key' })).toBeNull();
    expect(within(cards[1] as HTMLElement).getByText(/Begins to sign on/)).toBeDefined();
  });
});
