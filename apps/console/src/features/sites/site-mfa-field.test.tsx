import type { SiteMfa } from '@opensocial/contract';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { queryClient } from '../../api/transport/query-client.ts';
import { site } from '../../testing/builders.ts';
import { stubLayout } from '../../testing/layout.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { answer, stubServer } from '../../testing/stub-server.ts';
import { SiteMfaField } from './site-mfa-field.tsx';
import { useSiteForm } from './use-site-form.ts';

beforeEach(() => {
  stubLayout();
  queryClient.clear();
});

const drawn = site({ mfa: 'Disable' });

function Field() {
  return <SiteMfaField form={useSiteForm(drawn)} site={drawn} network="northlab" />;
}

const show = (changes: Partial<SiteMfa>) => {
  const mfa: SiteMfa = { network_requires: false, people: 12, without_factor: 3, locks_out: false, ...changes };
  stubServer({ [`GET /server/sso/site_mfa/${drawn.id}`]: answer(mfa) });
  renderScreen({ path: 'site', element: <Field /> }, '/site');
};

test('§2.7 second factor: the site decides while the network does not, and people are counted once it is required', async () => {
  show({});
  expect(await screen.findByText(/^This site decides: northlab does not require/)).toBeDefined();
  expect(screen.getByRole('link').getAttribute('href')).toBe('/sso-servers/northlab/settings#policy');
  expect(screen.queryByText(/no second factor yet/)).toBeNull();
  await userEvent.click(screen.getByRole('switch', { name: /^Multi-factor Authentication/ }));
  expect(
    screen.getByText(
      '3 of the 12 people of northlab who may enter have no second factor yet. They get a code by email when they sign in.',
    ),
  ).toBeDefined();
});

test('§2.7 second factor: the setting of the network wins', async () => {
  show({ network_requires: true, without_factor: 1, locks_out: true });
  expect(await screen.findByText(/^The network’s setting wins: .* even with Disable\./)).toBeDefined();
  expect(screen.getByText(/^1 of the 12 people .* has no second factor yet\. They cannot sign in/)).toBeDefined();
});

test('§2.7 second factor: says so if everybody has one', async () => {
  show({ network_requires: true, people: 1, without_factor: 0 });
  expect(
    await screen.findByText(/the 1 person of northlab who may enter has a second factor already\.$/),
  ).toBeDefined();
});
