import type { SiteDifference, SiteRefresh } from '@opensocial/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import { checkadminId } from '../../api/session/admin-network.ts';
import { stubLayout } from '../../testing/layout.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { answer, refusal, stubServer } from '../../testing/stub-server.ts';
import { SiteMetadataTab } from './site-metadata-tab.tsx';

beforeEach(() => stubLayout());

const refresh = (changes: Partial<SiteRefresh> = {}): SiteRefresh => ({
  metadata_url: 'https://reports.northlab.org/metadata',
  tried_at: '2026-11-02T10:00:00.000Z',
  read_at: '2026-11-02T10:00:00.000Z',
  next_at: '2026-11-03T10:00:00.000Z',
  failure: '',
  failing_since: null,
  valid_until: null,
  differences: [],
  digest: '',
  ...changes,
});
const acs: SiteDifference = {
  id: 'acs',
  field: 'acs',
  title: 'SSO ACS URL',
  before: 'https://reports.northlab.org/acs',
  after: 'https://new.northlab.org/acs',
};
const certificate: SiteDifference = {
  id: 'certificate_added:x',
  field: 'certificate_added',
  title: 'Signing certificate that the metadata adds',
  before: '',
  after: 'SHA-256 AA:BB, valid until 1 March 2028',
};
const changed = refresh({ differences: [acs, certificate], digest: 'shown' });

const path = '/server/sso/site_refresh/5';
const network = { id: 7, name: 'northlab', sso_id: 'sso-northlab' };

const show = (state: SiteRefresh, answers = {}) => {
  const asked = stubServer({ [`GET ${path}`]: answer(state), ...answers });
  const tab = { path: 'sites/:site_name/:site_id/metadata', element: <SiteMetadataTab /> };
  renderScreen(
    { id: checkadminId, loader: () => network, HydrateFallback: () => null, children: [tab] },
    '/sites/reports.northlab.org/5/metadata',
  );
  return asked;
};
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

describe('§2.7 Metadata', () => {
  test('a site without an address says what an address is for', async () => {
    show(refresh({ metadata_url: '', read_at: null, next_at: null }));
    expect(await screen.findByText('No metadata URL is set')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Refresh now' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Edit SSO parameters' })).toBeDefined();
  });

  test('a site without differences says so, with the times', async () => {
    show(refresh({ valid_until: '2027-01-31T12:00:00.000Z' }));
    expect(await screen.findByText('The metadata says the same as the SSO parameters.')).toBeDefined();
    expect(screen.getByText(/^Next: Tue, Nov 3, 2026/)).toBeDefined();
    expect(screen.getByText(/Jan 31, 2027/)).toBeDefined();
  });

  test('a site that was not read yet says when it will be', async () => {
    show(refresh({ tried_at: null, read_at: null, next_at: null }));
    expect(await screen.findByText('Not yet. It is read within ten minutes.')).toBeDefined();
    expect(screen.queryByText(/says the same/)).toBeNull();
  });

  test('a failure is shown with its reason', async () => {
    show(refresh({ failure: 'The address answered 404.', failing_since: '2026-11-01T10:00:00.000Z' }));
    expect((await screen.findByRole('alert')).textContent).toMatch(
      /^The metadata could not be read since Sun, Nov 1, 2026, .*\. The address answered 404\.$/,
    );
  });

  test('the metadata is read by hand, and the differences appear', async () => {
    show(refresh(), { [`POST ${path}`]: answer(changed) });
    await press('Refresh now');
    expect(await screen.findByText('The metadata was read. Check the differences.')).toBeDefined();
    const [first, second] = screen.getAllByRole('listitem');
    expect(within(first as HTMLElement).getByText('https://reports.northlab.org/acs')).toBeDefined();
    expect(within(first as HTMLElement).getByText('https://new.northlab.org/acs')).toBeDefined();
    expect(within(second as HTMLElement).getByText('none')).toBeDefined();
  });

  test('a refresh that comes too early shows the reason', async () => {
    show(refresh(), { [`POST ${path}`]: refusal('too_many') });
    await press('Refresh now');
    expect(await screen.findByText(/Too many attempts/)).toBeDefined();
  });

  test('only the chosen differences are applied, after a confirmation', async () => {
    const left = refresh({ differences: [certificate], digest: 'left' });
    const asked = show(changed, { [`PUT ${path}`]: answer(left) });
    expect((await screen.findByRole<HTMLButtonElement>('button', { name: 'Apply changes' })).disabled).toBe(true);
    await userEvent.click(screen.getByRole('checkbox', { name: 'SSO ACS URL' }));
    await press('Apply 1 change');
    const dialog = await screen.findByRole('dialog', { name: 'Apply the metadata' });
    expect(asked.some(({ body }) => body)).toBe(false);
    await userEvent.click(within(dialog).getByRole('button', { name: 'Apply 1 change' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(asked.find(({ body }) => body)?.body).toEqual({ digest: 'shown', chosen: ['acs'] });
    await waitFor(() => expect(screen.queryByRole('checkbox', { name: 'SSO ACS URL' })).toBeNull());
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Apply changes' }).disabled).toBe(true);
  });

  test('differences that have changed meanwhile are loaded again', async () => {
    const asked = show(changed, { [`PUT ${path}`]: refusal('metadata_changed') });
    await userEvent.click(await screen.findByRole('checkbox', { name: certificate.title }));
    await press('Apply 1 change');
    const dialog = await screen.findByRole('dialog', { name: 'Apply the metadata' });
    await userEvent.click(within(dialog).getByRole('button', { name: 'Apply 1 change' }));
    expect(await screen.findByText(/have changed in the meantime/)).toBeDefined();
    await waitFor(() => expect(asked.filter(({ body }) => !body).length).toBeGreaterThan(1));
  });

  test('a state that cannot be loaded is loaded again', async () => {
    show(refresh(), { [`GET ${path}`]: refusal('not_found') });
    expect(await screen.findByRole('button', { name: 'Try again' })).toBeDefined();
  });
});
