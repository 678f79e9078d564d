import type { SubscriberMetadata } from '@opensocial/contract';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import { checkadminId } from '../../api/session/admin-network.ts';
import { stubLayout } from '../../testing/layout.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { answer, stubServer } from '../../testing/stub-server.ts';
import { SiteModal } from './site-modal.tsx';

beforeEach(() => stubLayout());

const metadata: SubscriberMetadata = {
  identity: 'https://reports.northlab.org/sp',
  acs: 'https://reports.northlab.org/acs',
  sls: '',
  domain: 'reports.northlab.org',
  certificate: '',
  signed_requests: 'No',
  sls_binding: 'auto',
  sls_response: '',
  sls_soap: '',
  acs_index: null,
  further_acs: [],
  signs: 'both',
  encrypts: 'No',
  encryption_certificate: '',
  wants_assertions_signed: true,
  release: null,
  warnings: [],
};

const importMetadata = async (read: SubscriberMetadata) => {
  stubServer({ 'POST /server/sso/site_metadata/northlab': answer(read) });
  const network = { id: 7, name: 'northlab', sso_id: 'sso-northlab' };
  const modal = { path: 'sites', element: <SiteModal onClose={() => undefined} /> };
  renderScreen({ id: checkadminId, loader: () => network, HydrateFallback: () => null, children: [modal] }, '/sites');
  await userEvent.click(await screen.findByText('Fill in from metadata'));
  await userEvent.type(screen.getByLabelText('Metadata URL'), 'https://reports.northlab.org/sp');
  await userEvent.click(screen.getByRole('button', { name: 'Read metadata' }));
  await screen.findByText(/The metadata was read/);
  await userEvent.click(screen.getByText('Protection of responses'));
};

describe('§2.6 Add New Site: the signature that the metadata allows', () => {
  test('is both although the site asks for signed assertions, and a warning refuses the response alone', async () => {
    await importMetadata(metadata);
    expect(screen.getByText(/a test sign-in shows whether it needs the signature of the response too/)).toBeDefined();
    expect(screen.getByText(/cannot say whether the site needs a signed response too/)).toBeDefined();
    expect(screen.getByRole('radio', { name: 'Both' })).toHaveProperty('checked', true);
    await userEvent.click(screen.getByRole('radio', { name: 'Response' }));
    expect(await screen.findByText(/the site would refuse sign-ins/)).toBeDefined();
    await userEvent.click(screen.getByRole('radio', { name: 'Assertion' }));
    expect(screen.queryByText(/the site would refuse sign-ins/)).toBeNull();
  });

  test('is the assertion if the server recognises software that needs nothing else', async () => {
    await importMetadata({ ...metadata, signs: 'assertion' });
    expect(screen.getByText(/Only the assertion will be signed/)).toBeDefined();
    expect(screen.getByRole('radio', { name: 'Assertion' })).toHaveProperty('checked', true);
  });

  test('is both if the metadata does not say', async () => {
    await importMetadata({ ...metadata, wants_assertions_signed: false });
    expect(screen.queryByText(/Only the assertion will be signed|Once it is added/)).toBeNull();
    expect(screen.getByText(/Both is the safe choice/)).toBeDefined();
    await userEvent.click(screen.getByRole('radio', { name: 'Response' }));
    expect(screen.queryByText(/the site would refuse sign-ins/)).toBeNull();
  });
});
