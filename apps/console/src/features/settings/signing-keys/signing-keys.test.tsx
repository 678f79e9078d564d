import type { SigningKey, SigningKeySite } from '@opensocial/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import { stubLayout } from '../../../testing/layout.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { answer, refusal, stubServer } from '../../../testing/stub-server.ts';
import { SigningKeysSection } from './signing-keys-section.tsx';

beforeEach(() => stubLayout());

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000 - 60_000).toISOString();

const signingKey = (changes: Partial<SigningKey> = {}): SigningKey => ({
  id: 1,
  state: 'current',
  algorithm: 'rsa-2048',
  fingerprint: 'AA:AA:AA:AA:11:22',
  certificate: '-----BEGIN CERTIFICATE-----\nMIIC\n-----END CERTIFICATE-----',
  created_at: '2026-01-01T00:00:00.000Z',
  not_after: inDays(400),
  retired_at: null,
  sites: 2,
  used_by: 2,
  tried_by: null,
  tried_until: null,
  ...changes,
});
const current = signingKey();
const next = signingKey({ id: 2, state: 'next', algorithm: 'ec-p256', fingerprint: 'BB:BB:BB:BB:11:22', sites: 0 });

const site = (changes: Partial<SigningKeySite> = {}): SigningKeySite => ({
  id: 5,
  site_name: 'Reports',
  domain: 'reports.northlab.org',
  key_id: 1,
  sign_ins: [],
  verifies_ecdsa: false,
  certificates: [],
  ...changes,
});

const keysPath = 'GET /server/sso/signing_keys/northlab';
const sitesPath = 'GET /server/sso/signing_key_sites/northlab/0';

const show = (keys: SigningKey[], sites: SigningKeySite[] = [site()], answers = {}) => {
  const asked = stubServer({
    [keysPath]: answer({ keys, sites: sites.length }),
    [sitesPath]: answer({ sites, all_sites: sites.length }),
    ...answers,
  });
  const network = { id: 7, name: 'northlab', sso_id: 'sso-northlab' };
  renderScreen({ path: '*', element: <SigningKeysSection network={network} /> }, '/');
  return asked;
};
const card = (name: string) => screen.findByRole('article', { name });
const press = async (container: HTMLElement, name: string) =>
  userEvent.click(within(container).getByRole('button', { name }));
const confirm = async (title: string, action: string) => {
  const dialog = await screen.findByRole('dialog', { name: title });
  await press(dialog, action);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
};
const done = answer({ message: 'It was done.' });

describe('§2.10 signing keys and certificates', () => {
  test('a current key with plenty of time needs nothing', async () => {
    show([current]);
    const shown = await card('Current key');
    expect(within(shown).getByText('400 days left')).toBeDefined();
    expect(within(shown).getByText(/^Nothing to do\./)).toBeDefined();
    expect(within(shown).queryByRole('button', { name: 'Retire this key' })).toBeNull();
    expect(screen.queryByRole('combobox')).toBeNull();
  });

  test.for([
    [60, '60 days left', /Create the next key now/],
    [1, '1 day left', /Create the next key now/],
    [-3, /^Expired on /, /Create the next key now/],
  ] as const)('a current key with %i days asks for the next one', async ([days, left, step]) => {
    show([signingKey({ not_after: inDays(days) })]);
    const shown = await card('Current key');
    expect(within(shown).getByText(left)).toBeDefined();
    expect(within(shown).getByText(step)).toBeDefined();
  });

  test('the next key is created with the chosen algorithm', async () => {
    const asked = show([current], [site()], { 'POST /server/sso/signing_keys/northlab': done });
    await userEvent.click(await screen.findByRole('button', { name: 'Create the next key' }));
    const dialog = await screen.findByRole('dialog', { name: 'Create the next key' });
    await userEvent.selectOptions(within(dialog).getByRole('combobox', { name: 'Algorithm' }), 'ECDSA, P-256');
    await confirm('Create the next key', 'Create key');
    expect(asked.find(({ body }) => body)?.body).toEqual({ algorithm: 'ec-p256' });
  });

  test('the next key is tried, and all sites are switched after a warning', async () => {
    const asked = show([current, next], [site()], {
      'PUT /server/sso/signing_key/try/northlab/2': done,
      'PUT /server/sso/signing_key/all/northlab/2': done,
    });
    const shown = await card('Next key');
    await press(shown, 'Try with my sign-ins');
    await confirm('Try the next key', 'Try with my sign-ins');
    await press(shown, 'Switch all sites');
    const dialog = await screen.findByRole('dialog', { name: 'Switch all sites' });
    expect(within(dialog).getByText(/the responses to 1 site are signed with the next key/)).toBeDefined();
    expect(asked.some(({ path }) => path.includes('/all/'))).toBe(false);
    await confirm('Switch all sites', 'Switch all sites');
    expect(asked.some(({ path }) => path === '/server/sso/signing_key/all/northlab/2')).toBe(true);
    expect(screen.queryByRole('button', { name: 'Create the next key' })).toBeNull();
  });

  test('a running trial is shown and can be stopped', async () => {
    const tried = { ...next, tried_by: 'ana@northlab.org', tried_until: inDays(1) };
    const asked = show([current, tried], [site()], { 'DELETE /server/sso/signing_key/try/northlab/2': done });
    const shown = await card('Next key');
    expect(within(shown).getByText(/The sign-ins of ana@northlab.org are signed with this key until/)).toBeDefined();
    await press(shown, 'Stop trying');
    await confirm('Stop trying', 'Stop trying');
    expect(asked.some(({ path }) => path.includes('/try/'))).toBe(true);
  });

  test('one site is switched with its choice, after a confirmation', async () => {
    const asked = show([current, next], [site()], { 'PUT /server/sso/signing_key/site/northlab/2': done });
    const choice = await screen.findByRole<HTMLSelectElement>('combobox', {
      name: 'Key of Reports (reports.northlab.org)',
    });
    await userEvent.selectOptions(choice, 'Next key BB:BB:BB:BB');
    expect(choice.value).toBe('1');
    await confirm('Switch Reports (reports.northlab.org)', 'Switch this site');
    expect(asked.find(({ body }) => body)).toMatchObject({
      path: '/server/sso/signing_key/site/northlab/2',
      body: { site_id: 5 },
    });
  });

  test('a retired key that sites use cannot be removed, and one without sites can', async () => {
    const used = signingKey({ id: 3, state: 'retired', sites: 1, retired_at: inDays(-2) });
    const asked = show([current, used], [site()]);
    const shown = await card('Retired key');
    expect(within(shown).getByText(/^1 site still uses this key\./)).toBeDefined();
    expect(within(shown).queryByRole('button', { name: 'Remove this key' })).toBeNull();
    expect(within(shown).getByRole('button', { name: 'Switch back to this key' })).toBeDefined();
    expect(asked.some(({ path }) => path.includes('signing_key/'))).toBe(false);
  });

  test('a refusal is shown, and the keys are read again', async () => {
    const unused = signingKey({ id: 3, state: 'retired', sites: 0, retired_at: inDays(-2) });
    const asked = show([current, unused], [site()], {
      'DELETE /server/sso/signing_key/northlab/3': refusal('signing_key_used'),
    });
    await press(await card('Retired key'), 'Remove this key');
    await confirm('Remove this key', 'Remove this key');
    expect(await screen.findByText(/Sites still use this key/)).toBeDefined();
    await waitFor(() =>
      expect(asked.filter(({ path }) => path === '/server/sso/signing_keys/northlab').length).toBeGreaterThan(1),
    );
  });

  test('sites show their last sign-in and their own certificates', async () => {
    const certificates = [
      { use: 'signing' as const, fingerprint: 'CC:CC:CC:CC:01', not_after: inDays(-1) },
      { use: 'encryption' as const, fingerprint: 'DD:DD:DD:DD:01', not_after: inDays(30) },
    ];
    const sign_ins = [{ key_id: 1, at: '2026-11-02T10:00:00.000Z' }];
    show([current], [site({ sign_ins, certificates }), site({ id: 6, domain: 'wiki.northlab.org' })]);
    const [reports, wiki] = within(await screen.findByRole('list', { name: 'Sites and their keys' })).getAllByRole(
      'listitem',
    );
    expect(within(reports as HTMLElement).getByText(/^Last sign-in with this key: .*2026/)).toBeDefined();
    expect(within(reports as HTMLElement).getByText(/^Expired on /).dataset['tone']).toBe('bad');
    expect(within(reports as HTMLElement).getByText('30 days left').dataset['tone']).toBe('warn');
    expect(within(reports as HTMLElement).getByText(/^Site’s certificate CC/)).toBeDefined();
    expect(within(reports as HTMLElement).getByText(/^Site’s certificate for encryption DD/)).toBeDefined();
    expect(within(wiki as HTMLElement).getByText('No sign-in with this key yet.')).toBeDefined();
    expect(within(wiki as HTMLElement).getByText('The site has no certificate of its own.')).toBeDefined();
  });

  test('a site whose metadata lists ECDSA says so', async () => {
    show([current, next], [site({ verifies_ecdsa: true }), site({ id: 6, site_name: 'Library' })]);
    const list = await screen.findByRole('list', { name: 'Sites and their keys' });
    const [reports, library] = within(list).getAllByRole('listitem');
    expect(within(reports as HTMLElement).getByText(/verifies ECDSA/)).toBeDefined();
    expect(within(library as HTMLElement).queryByText(/verifies ECDSA/)).toBeNull();
  });

  test('a network without sites says so', async () => {
    show([current], []);
    expect(await screen.findByText('This network has no sites yet.')).toBeDefined();
  });

  test('a list that cannot be loaded is loaded again', async () => {
    show([current], [], { [keysPath]: refusal('not_found') });
    expect(await screen.findByRole('button', { name: 'Try again' })).toBeDefined();
  });
});
