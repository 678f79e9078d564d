import type { SiteHealth as Health } from '@opensocial/contract';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import { checkadminId } from '../../../api/session/admin-network.ts';
import { sessionQuery } from '../../../api/session/session.ts';
import { queryClient } from '../../../api/transport/query-client.ts';
import { sessionUser } from '../../../testing/builders.ts';
import { stubLayout } from '../../../testing/layout.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { answer, refusal, stubServer } from '../../../testing/stub-server.ts';
import { SiteHealth } from './site-health.tsx';
import { siteProblemsOf } from './site-problems.ts';

beforeEach(() => {
  stubLayout();
  queryClient.clear();
  queryClient.setQueryData(sessionQuery.queryKey, { user: sessionUser(), csrf: '' });
});

const network = { id: 7, name: 'northlab', sso_id: 'sso-northlab' };
const path = '/server/sso/site_health/5';
const now = new Date(2026, 4, 1, 10).toISOString();

const healthy: Health = {
  checks_reachability: true,
  shows_unreachable: false,
  address: 'https://reports.northlab.org/acs',
  check: { outcome: 'reached', detail: '', tried_at: now, reached_at: now, failing_since: null },
  metadata: null,
  certificate_ends: null,
  recent_sign_ins: { total: 40, failed: 0 },
  refused_requests: { total: 0, last_at: null },
  unchecked_because: '',
  version: 3,
};
const failing: Health = {
  ...healthy,
  check: {
    outcome: 'failed',
    detail: 'The server refused the connection.',
    tried_at: now,
    reached_at: null,
    failing_since: now,
  },
  metadata: { url: 'https://reports.northlab.org/metadata', read_at: now, failure: 'No.', failing_since: now },
  recent_sign_ins: { total: 40, failed: 10 },
};

const show = (health: Health, later: { POST?: ReturnType<typeof answer>; PUT?: ReturnType<typeof answer> } = {}) => {
  const asked = stubServer({
    [`GET ${path}`]: answer(health),
    [`POST ${path}`]: later.POST ?? answer(health),
    [`PUT ${path}`]: later.PUT ?? answer(health),
  });
  renderScreen(
    {
      id: checkadminId,
      path: 'sites',
      loader: () => network,
      HydrateFallback: () => null,
      element: <SiteHealth siteId={5} />,
    },
    '/sites',
  );
  return { sent: () => asked.flatMap(({ body }) => (body ? [body] : [])) };
};

describe('§2.7 health', () => {
  test('one sign-in that succeeded and refused requests are counted in plain words', async () => {
    show({
      ...healthy,
      recent_sign_ins: { total: 1, failed: 0 },
      refused_requests: { total: 4, last_at: now },
    });
    expect(await screen.findByText('1 succeeded, none failed')).toBeDefined();
    expect(screen.getByText(/^4, the last one on/)).toBeDefined();
  });

  test('an address that the server never requests is not announced as one that is checked', async () => {
    show({ ...healthy, check: null, unchecked_because: 'The address does not begin with https://.' });
    expect(await screen.findByText('Not checked')).toBeDefined();
    expect(screen.getByText(/It is not checked: The address does not begin with https/)).toBeDefined();
    expect(screen.queryByText(/within ten minutes/)).toBeNull();
    const [hourly] = screen.getAllByRole('switch');
    expect(hourly).toHaveProperty('checked', false);
    expect(hourly).toHaveProperty('disabled', true);
    expect(screen.queryByRole('button', { name: 'Check now' })).toBeNull();
  });

  test('shows a site that works', async () => {
    show(healthy);
    expect(await screen.findByText('Reachable')).toBeDefined();
    expect(screen.getByText('40 succeeded, none failed')).toBeDefined();
    expect(screen.queryByText('Metadata URL')).toBeNull();
  });

  test('shows what does not work, and why', async () => {
    show(failing);
    expect(await screen.findByText('Not reachable')).toBeDefined();
    expect(screen.getByText(/The server refused the connection\. Since/)).toBeDefined();
    expect(screen.getByText('Not readable')).toBeDefined();
    expect(screen.getByText('10 of 40 failed (25%)')).toBeDefined();
  });

  test('checks now and shows the new state', async () => {
    show(failing, { POST: answer(healthy) });
    await userEvent.click(await screen.findByRole('button', { name: 'Check now' }));
    expect(await screen.findByText('Reachable')).toBeDefined();
  });

  test('an address that is not checked is no failure', async () => {
    const detail = 'The address leads into a private network, which is not allowed here.';
    show({
      ...healthy,
      check: { outcome: 'skipped', detail, tried_at: now, reached_at: null, failing_since: null },
    });
    expect(await screen.findByText('Not checked')).toBeDefined();
    expect(screen.getByText(new RegExp(detail))).toBeDefined();
  });

  test('saves the switches', async () => {
    const { sent } = show(healthy, { PUT: answer({ ...healthy, shows_unreachable: true, version: 4 }) });
    const tile = await screen.findByRole('switch', { name: 'Show on the tile when it cannot be reached' });
    await userEvent.click(tile);
    await waitFor(() => expect(sent()).toHaveLength(1));
    expect(sent()).toEqual([{ checks_reachability: true, shows_unreachable: true, based_on: 3 }]);
    await waitFor(() => expect((tile as HTMLInputElement).checked).toBe(true));
  });

  test('a switch that could not be saved goes back', async () => {
    show(healthy, { PUT: refusal('internal') });
    const checks = await screen.findByRole('switch', { name: /^Check every hour/ });
    await userEvent.click(checks);
    await waitFor(() => expect((checks as HTMLInputElement).checked).toBe(true));
  });

  test('without checks there is nothing to show on the tile', async () => {
    show({ ...healthy, checks_reachability: false, shows_unreachable: true, check: null });
    const tile: HTMLInputElement = await screen.findByRole('switch', { name: /^Show on the tile/ });
    expect(tile.disabled).toBe(true);
    expect(tile.checked).toBe(false);
    expect(screen.queryByRole('button', { name: 'Check now' })).toBeNull();
  });
});

describe('§2.6 sites list: problems of a site', () => {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000 - 60_000).toISOString();
  const well = {
    certificate_ends: null,
    unreachable_since: null,
    metadata_state: '',
    recent_sign_ins: { total: 9, failed: 0 },
  } as const;

  test.each([
    [{}, []],
    [{ certificate_ends: inDays(61) }, []],
    [{ certificate_ends: inDays(60) }, ['warn certificate expires in 60 days']],
    [{ certificate_ends: inDays(1) }, ['bad certificate expires in 1 day']],
    [{ certificate_ends: inDays(0) }, ['bad certificate expired']],
    [{ recent_sign_ins: { total: 50, failed: 4 } }, ['quiet 4 of 50 sign-ins failed']],
    [{ recent_sign_ins: { total: 20, failed: 5 } }, ['warn 5 of 20 sign-ins failed']],
    [
      { unreachable_since: now, metadata_state: 'changed' as const, certificate_ends: inDays(-4) },
      ['bad not reachable', 'bad certificate expired', 'warn metadata changed'],
    ],
  ])('%j', (changes, problems) => {
    expect(siteProblemsOf({ ...well, ...changes }).map(({ tone, text }) => `${tone} ${text}`)).toEqual(problems);
  });
});
