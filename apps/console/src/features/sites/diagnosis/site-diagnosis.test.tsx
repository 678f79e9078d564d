import type { SiteDiagnosis as Diagnosis, Finding, SiteExchange } from '@opensocial/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import { checkadminId } from '../../../api/session/admin-network.ts';
import { stubLayout } from '../../../testing/layout.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { answer, refusal, stubServer } from '../../../testing/stub-server.ts';
import { SiteDiagnosis } from './site-diagnosis.tsx';
import { UnknownApplications } from './unknown-applications.tsx';

beforeEach(() => stubLayout());

const [acs, other] = ['https://reports.northlab.org/acs', 'https://reports.northlab.org/acs/'];

const finding = (changes: Partial<Finding> = {}): Finding => ({
  code: 'acs_unregistered',
  sentence: `The request asks for the response at ${other}.`,
  advice: 'You can use its address.',
  compared: [{ label: 'SSO ACS URL', received: other, registered: acs }],
  is_current: true,
  fix: { label: 'Use the address of the request', before: acs, after: other },
  place: 'parameters',
  ...changes,
});

const exchange = (changes: Partial<SiteExchange> = {}): SiteExchange => ({
  id: 3,
  first_at: '2026-11-02T10:00:00.000Z',
  last_at: '2026-11-02T11:00:00.000Z',
  times: 1,
  step: 'request',
  outcome: 'refused',
  is_verified: true,
  person: null,
  finding: finding(),
  facts: [{ label: 'Binding', value: 'HTTP-Redirect' }],
  ...changes,
});

const diagnosis = (changes: Partial<Diagnosis> = {}): Diagnosis => ({
  protocol: 'saml',
  exchanges: [],
  warnings: [],
  watched_until: null,
  version: 8,
  ...changes,
});

const path = '/server/sso/site_diagnosis/5';
const network = { id: 7, name: 'northlab', sso_id: 'sso-northlab' };

const show = (state: Diagnosis, answers = {}) => {
  const asked = stubServer({ [`GET ${path}`]: answer(state), ...answers });
  const tab = {
    path: 'sites/:site_name/:site_id/sso',
    element: <SiteDiagnosis site={{ id: 5, domain: 'reports.northlab.org' }} />,
  };
  renderScreen(
    { id: checkadminId, loader: () => network, HydrateFallback: () => null, children: [tab] },
    '/sites/reports.northlab.org/5/sso',
  );
  return asked;
};
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

describe('§2.7 Diagnosis', () => {
  test('the received value can be copied for the form', async () => {
    const user = userEvent.setup();
    show(diagnosis({ exchanges: [exchange()] }));
    await user.click(await screen.findByRole('button', { name: 'Copy received SSO ACS URL' }));
    expect(await window.navigator.clipboard.readText()).toBe(other);
    expect(await screen.findByText('received SSO ACS URL copied')).toBeDefined();
  });

  const found = {
    reference: '12345-67890',
    at: '2026-11-02T11:00:00.000Z',
    title: 'You have no access',
    message: '',
    site: { id: 5, name: 'Reports', domain: 'reports.northlab.org', is_console: false },
    person: { id: 8, name: 'Ana Moreno', email: 'ana@northlab.org' },
    line: null,
  };
  const searchFor = async (page: typeof found | null, typed = '1234567890') => {
    show(diagnosis(), { 'GET /server/sso/error_reference/northlab/12345-67890': answer({ page }) });
    await userEvent.type(await screen.findByRole('textbox', { name: 'Reference number of an error page' }), typed);
    await press('Find');
  };

  test('a reference number leads to its attempt', async () => {
    await searchFor(found);
    const link = await screen.findByRole('link', { name: 'Show all details in Activity' });
    expect(link.getAttribute('href')).toBe('/activity?search=12345-67890');
    expect(screen.getByText(/Ana Moreno: “You have no access”\./)).toBeDefined();
    expect(screen.queryByText(/This was at/)).toBeNull();
  });

  test('a reference number of another site names that site', async () => {
    await searchFor({ ...found, site: { ...found.site, id: 6, name: 'Wiki' } });
    expect(await screen.findByText(/This was at Wiki\./)).toBeDefined();
  });

  test('a reference number that is not found, or is none, says so', async () => {
    await searchFor(null);
    expect(await screen.findByText(/No error page of northlab has this number/)).toBeDefined();
    await userEvent.type(screen.getByRole('textbox'), '1');
    await press('Find');
    expect(await screen.findByText('A reference number has ten digits, such as 12345-67890.')).toBeDefined();
  });

  test('a site without any sign-in says how to begin', async () => {
    show(diagnosis());
    expect(await screen.findByText('No recent sign-in is recorded')).toBeDefined();
    expect(screen.getByText('Start one in the application, or use Test sign-in.')).toBeDefined();
  });

  test('the newest problem is open, with both values side by side', async () => {
    show(diagnosis({ exchanges: [exchange({ times: 4 })] }));
    const item = await screen.findByRole('listitem');
    expect(within(item).getByText(/^Failed:/)).toBeDefined();
    expect(within(item).getByText(/^4 times since/)).toBeDefined();
    const row = within(item).getByRole('row', { name: /SSO ACS URL/ });
    expect(
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    ).toEqual([other, acs]);
    expect(within(item).getByText('HTTP-Redirect')).toBeDefined();
  });

  test('a problem of a person names them and leads to the groups', async () => {
    const person = { id: 4, name: 'Ana Moreno', email: 'ana@northlab.org' };
    const notInGroup = finding({ code: 'not_in_group', compared: [], fix: null, place: 'groups' });
    show(diagnosis({ exchanges: [exchange({ person, step: 'decision', finding: notInGroup })] }));
    expect(await screen.findByText('Ana Moreno (ana@northlab.org)')).toBeDefined();
    expect(screen.getByRole('link', { name: 'See the groups' }).getAttribute('href')).toBe(
      '/sso-servers/northlab/sites/reports.northlab.org/5/groups',
    );
  });

  test('a problem that was solved says so, and offers nothing', async () => {
    show(diagnosis({ exchanges: [exchange({ finding: finding({ is_current: false, fix: null }) })] }));
    expect(await screen.findByText('Fixed since')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Edit SSO parameters' })).toBeNull();
  });

  test('a fix is made after a confirmation, for the version that was shown', async () => {
    const solved = diagnosis({ exchanges: [exchange({ finding: finding({ is_current: false, fix: null }) })] });
    const asked = show(diagnosis({ exchanges: [exchange()] }), { [`POST ${path}/fix/3`]: answer(solved) });
    await press('Use the address of the request');
    const dialog = await screen.findByRole('dialog', { name: 'Use the address of the request' });
    expect(within(dialog).getByText(other)).toBeDefined();
    await userEvent.click(within(dialog).getByRole('button', { name: 'Use the address of the request' }));
    expect(await screen.findByText('Fixed since')).toBeDefined();
    const sent = asked.find((request) => request.path.endsWith('/fix/3'));
    expect(sent?.body).toEqual({ based_on: 8 });
  });

  test('a fix that is refused shows why', async () => {
    show(diagnosis({ exchanges: [exchange()] }), { [`POST ${path}/fix/3`]: refusal('fix_gone') });
    await press('Use the address of the request');
    const dialog = await screen.findByRole('dialog', { name: 'Use the address of the request' });
    await userEvent.click(within(dialog).getByRole('button', { name: 'Use the address of the request' }));
    expect(await screen.findByText(/This problem no longer exists/)).toBeDefined();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  test('all sign-ins are recorded for ten minutes on request', async () => {
    const watched = diagnosis({ watched_until: '2026-11-02T11:10:00.000Z' });
    show(diagnosis(), { [`POST ${path}/watch`]: answer(watched) });
    await press('Record all for 10 minutes');
    expect(await screen.findByText(/^Every sign-in is recorded until Nov 2, /)).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Record all for 10 minutes' })).toBeNull();
  });
});

describe('§2.6 unknown applications', () => {
  const application = {
    id: 2,
    protocol: 'saml' as const,
    identity: 'https://wiki.example.org/sp',
    address: 'https://wiki.example.org/acs',
    times: 3,
    first_at: '2026-11-02T10:00:00.000Z',
    last_at: '2026-11-02T11:00:00.000Z',
  };
  const listPath = '/server/sso/unknown_applications/northlab';

  test('are added or dismissed', async () => {
    const added: string[] = [];
    const answers = {
      [`GET ${listPath}`]: answer({ applications: [application] }),
      [`DELETE ${listPath}/2`]: answer({ message: 'Removed.' }),
    };
    stubServer(answers);
    const list = { path: 'sites', element: <UnknownApplications onAdd={({ identity }) => added.push(identity)} /> };
    renderScreen({ id: checkadminId, loader: () => network, HydrateFallback: () => null, children: [list] }, '/sites');
    await userEvent.click(await screen.findByText('Requests from an unknown application'));
    expect(screen.getByText(/^3 times, last on/)).toBeDefined();
    await press('Add this application: https://wiki.example.org/sp');
    expect(added).toEqual([application.identity]);
    answers[`GET ${listPath}`] = answer({ applications: [] });
    await press('Dismiss https://wiki.example.org/sp');
    await waitFor(() => expect(screen.queryByText('Requests from an unknown application')).toBeNull());
  });
});
