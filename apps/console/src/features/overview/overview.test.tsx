import { failureLabel, type Overview, type SignInStatistics } from '@opensocial/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { LoaderFunctionArgs } from 'react-router';
import { beforeEach, describe, expect, test } from 'vitest';
import { checkadminId } from '../../api/session/admin-network.ts';
import { queryClient } from '../../api/transport/query-client.ts';
import { formatShare } from '../../patterns/format/format.ts';
import { stubLayout } from '../../testing/layout.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { answer, refusal, stubServer } from '../../testing/stub-server.ts';
import { overviewRoute } from './overview.routes.tsx';
import { longName } from './overview-texts.ts';

beforeEach(() => {
  stubLayout();
  queryClient.clear();
});

const day = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * day - 60_000).toISOString();

const overview = (changes: Partial<Overview> = {}): Overview => ({
  members: 1_204,
  pending: 38,
  adoption: { people: 1_000, with_factor: 712, with_passkey: 90, counted_at: new Date().toISOString() },
  unused: null,
  attacked: [],
  sites: {
    total: 2,
    most_used: [{ id: 5, site_name: 'Reports', domain: 'reports.org', succeeded: 1_234, failed: 7 }],
    never_used: {
      total: 1,
      sites: [{ id: 6, site_name: 'Cold Storage', domain: 'cold.org', created_at: '2026-10-02T10:00:00.000Z' }],
    },
    since: '2025-10-02',
  },
  certificates: { total: 0, ending: [] },
  mail: { delivery: 'smtp', queue: null },
  ...changes,
});

const statistics = (changes: Partial<SignInStatistics> = {}): SignInStatistics => ({
  unit: 'day',
  buckets: [
    { start: '2026-11-16T00:00:00.000Z', succeeded: 1_500, failed: 0 },
    { start: '2026-11-17T00:00:00.000Z', succeeded: 500, failed: 100 },
  ],
  failures: [
    { reason: 'wrong password', lines: 80 },
    { reason: 'google', lines: 20 },
  ],
  is_complete: true,
  ...changes,
});

type Given = { overview?: Partial<Overview>; statistics?: Partial<SignInStatistics> };

const show = (given: Given = {}, address = '/sso-servers/northlab/overview', answers = {}) => {
  const asked = stubServer({
    'GET /server/sso/overview/northlab': answer(overview(given.overview)),
    'GET /server/sso/overview_sign_ins/northlab/30d': answer(statistics(given.statistics)),
    'GET /server/sso/overview_sign_ins/northlab/24h': answer(
      statistics({
        unit: 'hour',
        buckets: [{ start: '2026-11-17T18:30:00.000Z', succeeded: 3, failed: 0 }],
        failures: [],
      }),
    ),
    ...answers,
  });
  const guard = {
    id: checkadminId,
    path: '/sso-servers/:server',
    loader: ({ params }: LoaderFunctionArgs) => ({ id: 7, name: params['server'] }),
  };
  return { asked, ...renderScreen({ ...guard, children: [overviewRoute] }, address) };
};

const card = (name: string) => screen.findByRole('region', { name });

describe('§2.17 overview of the main network', () => {
  const none = { total: 0, most_used: [], never_used: { total: 0, sites: [] }, since: '2026-11-01' };
  const showMain = (sites: Overview['sites']) =>
    show({}, '/sso-servers/opensocial/overview', {
      'GET /server/sso/overview/opensocial': answer(overview({ sites })),
      'GET /server/sso/overview_sign_ins/opensocial/30d': answer(statistics()),
    });

  test('says that its numbers include sign-ins to the console, and that the list of sites does not', async () => {
    showMain(none);
    expect(await screen.findByText('successful sign-ins to this console and to sites')).toBeDefined();
    expect(screen.getByText('failed sign-ins to this console and to sites')).toBeDefined();
    expect(
      await within(await card('Most used sites')).findByText(/The numbers above are sign-ins to this console/),
    ).toBeDefined();
    expect(await within(await card('Never used sites')).findByText('This network has no sites yet.')).toBeDefined();
    expect(within(await card('Why sign-ins failed')).queryByText(/Wrong passwords at this console/)).toBeNull();
  });

  test('says so beside sites that are used', async () => {
    showMain({ ...none, total: 5, most_used: overview().sites.most_used });
    expect(await within(await card('Most used sites')).findByText(/without those to this console$/)).toBeDefined();
    expect(await screen.findByText('Somebody has signed in to every site.')).toBeDefined();
  });
});

describe('§2.17 overview', () => {
  test('counts sign-ins to sites, and says where wrong passwords at the console are', async () => {
    show();
    expect(await screen.findByText('successful sign-ins to sites')).toBeDefined();
    const note = await within(await card('Why sign-ins failed')).findByText(
      /Wrong passwords at this console are in the tab Timeline/,
    );
    expect(within(note).getByRole('link', { name: 'Users' }).getAttribute('href')).toBe('/sso-servers/northlab/users');
  });

  test('shows the numbers, grouped, and links to the pending invitations', async () => {
    show();
    expect(await screen.findByText('2,000')).toBeDefined();
    expect(screen.getByText('100', { selector: 'p' })).toBeDefined();
    expect(screen.getByText('5% of all attempts')).toBeDefined();
    expect(await screen.findByText('1,204')).toBeDefined();
    expect(screen.getByText('71%')).toBeDefined();
    expect(screen.getByText(/Passkeys: 90 of 1,000/)).toBeDefined();
    const pending = screen.getByRole('link', { name: '38 pending invitations' });
    expect(pending.getAttribute('href')).toBe('/sso-servers/northlab/users?status=NonConfirmed');
  });

  test('the table behind the chart has the same numbers', async () => {
    show();
    await userEvent.click(await screen.findByRole('button', { name: 'Show as table', pressed: false }));
    const table = within(await screen.findByRole('region', { name: 'Sign-ins as a table' })).getByRole('table');
    const rows = within(table).getAllByRole('row');
    expect(rows.map((row) => [...row.children].slice(1).map(({ textContent }) => textContent))).toEqual([
      ['Successful', 'Failed'],
      ['500', '100'],
      ['1,500', '0'],
    ]);
    expect(rows[2]?.textContent).toContain(longName('2026-11-16T00:00:00.000Z', 'day'));
    await userEvent.click(screen.getByRole('button', { name: 'Show as table', pressed: true }));
    expect(
      await screen.findByRole('img', { name: /Bar chart\. Day with most sign-ins: .* 1,500 successful/ }),
    ).toBeDefined();
  });

  test('reasons have names, and lead to the failed sign-ins', async () => {
    show();
    const failures = await card('Why sign-ins failed');
    expect(await within(failures).findByRole('row', { name: 'Wrong password 80' })).toBeDefined();
    expect(within(failures).getByRole('row', { name: 'Google did not sign in 20' })).toBeDefined();
    const addressOf = (name: string) => within(failures).getByRole('link', { name }).getAttribute('href');
    expect(addressOf('Show in Activity')).toMatch(/^\/activity\?status=Failed&time=2026-11-\d\d%2C\d{4}-\d\d-\d\d$/);
    expect(addressOf('Wrong password')).toBe(`${addressOf('Show in Activity')}&reason=wrong+password`);
    expect(failureLabel('something new')).toBe('Something new');
  });

  test('the failures of 24 hours lead to those since the first hour', async () => {
    const failures = [{ reason: 'wrong password', lines: 2 }];
    const buckets = [{ start: '2026-11-17T18:30:00.000Z', succeeded: 3, failed: 2 }];
    show({}, '/sso-servers/northlab/overview?period=24h', {
      'GET /server/sso/overview_sign_ins/northlab/24h': answer(statistics({ unit: 'hour', buckets, failures })),
    });
    const link = await within(await card('Why sign-ins failed')).findByRole('link', { name: 'Wrong password' });
    expect(link.getAttribute('href')).toBe(
      '/activity?status=Failed&since=2026-11-17T18%3A30%3A00.000Z&reason=wrong+password',
    );
  });

  test('many reasons are summed up in the last row', async () => {
    const failures = Array.from({ length: 9 }, (_, index) => ({ reason: `reason ${index}`, lines: 20 - index }));
    show({ statistics: { failures } });
    const rows = await within(await card('Why sign-ins failed')).findAllByRole('row', { name: /\d$/ });
    expect(rows).toHaveLength(6);
    expect(rows.at(-1)?.textContent).toBe('4 other reasons54');
  });

  test('the period is in the address', async () => {
    const { router, asked } = show();
    await userEvent.click(await screen.findByRole('radio', { name: '24 hours' }));
    await waitFor(() => expect(router.state.location.search).toBe('?period=24h'));
    expect(await screen.findByRole('heading', { name: 'Sign-ins per hour' })).toBeDefined();
    const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
    expect(asked.at(-1)?.path).toBe(`/server/sso/overview_sign_ins/northlab/24h?zone=${encodeURIComponent(zone)}`);
  });

  test('sites link to their panels', async () => {
    show();
    const used = await screen.findByRole('link', { name: 'Reports' });
    expect(used.getAttribute('href')).toBe('/sso-servers/northlab/sites/reports.org/5/details');
    expect(screen.getByText('1,234')).toBeDefined();
    expect(screen.getByText('Sign-ins since Oct 2, 2025')).toBeDefined();
    const unused = screen.getByRole('link', { name: 'Cold Storage' });
    expect(unused.getAttribute('href')).toBe('/sso-servers/northlab/sites/cold.org/6/sso');
  });

  test('what needs attention leads to the screen where it can be changed', async () => {
    const site = { id: 5, site_name: 'Reports', domain: 'reports.org' };
    show({
      overview: {
        certificates: {
          total: 3,
          ending: [
            { site, use: 'signing', not_after: inDays(-2) },
            { site: null, use: 'identity_provider', not_after: inDays(12) },
          ],
        },
        attacked: [
          { id: 8, fullname: 'Ben Kaya', email: 'ben@lab.org', failures: 30, limit: 50, locked_until: null },
          { id: 9, fullname: '', email: 'cleo@lab.org', failures: 50, limit: 50, locked_until: inDays(1) },
        ],
        unused: {
          days: 7,
          total: 12,
          accounts: [{ id: 10, fullname: 'Dora Lind', email: 'dora@lab.org', disabled_at: inDays(3) }],
        },
        mail: { delivery: 'outbox', queue: { waiting: 4, retried: 1, given_up: 2, oldest_at: inDays(0) } },
      },
    });
    const attention = await card('Needs attention');
    const items = (await within(attention).findAllByRole('listitem')).map(({ textContent }) => textContent);
    expect(items).toEqual([
      expect.stringMatching(/^expiredReports: its certificate expired on /),
      expect.stringMatching(/^12 daysServer Settings: a signing key of this network expires on /),
      '1 moreAnother certificate expires within 60 days',
      'almost lockedBen Kaya: 30 wrong passwords, locked after 50',
      expect.stringMatching(/^lockedcleo@lab\.org: locked until \d{1,2}:\d\d\s[AP]M after 50 wrong passwords$/),
      expect.stringMatching(
        /^12 peoplewill be disabled within 7 days, because their accounts are not used: Dora Lind on /,
      ),
      expect.stringMatching(/^4 emailswaiting to be sent, the first since \d{1,2}:\d\d\s[AP]M\. 1 delivery has failed/),
      expect.stringMatching(/^2 emailscould not be delivered/),
      expect.stringMatching(/^no emailThis server does not send email, /),
    ]);
    const hrefs = within(attention)
      .getAllByRole('link')
      .map((link) => link.getAttribute('href'));
    expect(hrefs).toEqual([
      '/sso-servers/northlab/sites/reports.org/5/sso',
      '/sso-servers/northlab/settings',
      '/sso-servers/northlab/users/8/details',
      '/sso-servers/northlab/users/9/details',
      '/sso-servers/northlab/users/10/details',
      '/sso-servers/northlab/users',
    ]);
  });

  test('says what to do first while nobody has signed in', async () => {
    const empty = { total: 0, most_used: [], never_used: { total: 0, sites: [] }, since: null };
    show({ overview: { sites: empty, pending: 0 } });
    expect(await screen.findByText('Nobody has signed in yet')).toBeDefined();
    expect(screen.getByRole('link', { name: 'Connect an application' }).getAttribute('href')).toBe(
      '/sso-servers/northlab/connect',
    );
    expect(screen.getByText('No invitation is pending')).toBeDefined();
    expect(screen.getByText('Nothing at the moment.')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Show as table' })).toBeNull();
  });

  test('says that older sign-ins or people are still being counted', async () => {
    show({ statistics: { is_complete: false }, overview: { adoption: null } });
    expect(await screen.findByText('Older sign-ins are still being counted.')).toBeDefined();
    expect(await screen.findByText('Still being counted. Check again in a few minutes.')).toBeDefined();
  });

  test('an error of either call is shown with a button to try again', async () => {
    show({}, undefined, { 'GET /server/sso/overview/northlab': refusal('invalid_input') });
    expect(await screen.findByRole('alert')).toBeDefined();
    expect(screen.getByRole('button', { name: 'Try again' })).toBeDefined();
  });

  test('a share is never rounded to nothing or everything', () => {
    expect([
      formatShare(0, 0),
      formatShare(0, 9),
      formatShare(1, 999),
      formatShare(998, 999),
      formatShare(9, 9),
    ]).toEqual(['–', '0%', '1%', '99%', '100%']);
  });
});
