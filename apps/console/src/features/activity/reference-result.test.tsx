import type { ShownErrorPage } from '@opensocial/contract';
import { screen } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { renderScreen } from '../../testing/render-screen.tsx';
import { answer, stubServer } from '../../testing/stub-server.ts';
import { ReferenceResult } from './reference-result.tsx';

const reference = '12345-67890';
const refused: ShownErrorPage = {
  reference,
  at: '2026-11-18T10:00:00.000Z',
  title: "You don't have access to Reports",
  message: 'Please ask your administrator.',
  site: { id: 12, name: 'Reports', domain: 'reports.northlab.org', is_console: false },
  person: { id: 5, name: 'Ana Moreno', email: 'ana@northlab.org' },
  line: { id: 77, reason: 'not in a group of the site' },
};

const show = (page: ShownErrorPage | null) => {
  stubServer({ [`GET /server/sso/error_reference/northlab/${reference}`]: answer({ page }) });
  const element = <ReferenceResult network={{ id: 7, name: 'northlab' }} reference={reference} />;
  renderScreen({ path: '*', element }, '/');
};
const target = async (name: string) => (await screen.findByRole('link', { name })).getAttribute('href');

describe('§2.13 the reference number of an error page', () => {
  test('shows what the page said, and leads to the site, the person and the attempt', async () => {
    show(refused);
    expect(await screen.findByText("You don't have access to Reports")).toBeDefined();
    expect(screen.getByText(/The account was not in a group of the site\./)).toBeDefined();
    expect(await target('Reports')).toBe('/sso-servers/northlab/sites/reports.northlab.org/12/sso');
    expect(await target('Ana Moreno')).toBe('/sso-servers/northlab/users/5/timeline');
    expect(await target('Show the attempt')).toBe('/activity/77/details');
  });

  test('of a request without a person says that the list does not have it', async () => {
    show({ ...refused, site: null, person: null, line: null });
    expect(await screen.findByText(/^Not in the list below/)).toBeDefined();
    expect(screen.getAllByText('Not known')).toHaveLength(2);
  });

  test('that is not found says what to check', async () => {
    show(null);
    const text = await screen.findByText(/No error page of northlab has this number/);
    expect(text.textContent).toContain('Numbers are kept for 30 days');
  });
});
