import type { SiteTest as Test } from '@opensocial/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { checkadminId } from '../../../api/session/admin-network.ts';
import { queryClient } from '../../../api/transport/query-client.ts';
import { stubLayout } from '../../../testing/layout.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { answer, refusal, stubServer } from '../../../testing/stub-server.ts';
import { SiteTest } from './site-test.tsx';

beforeEach(() => {
  stubLayout();
  queryClient.clear();
});
afterEach(() => vi.restoreAllMocks());

const path = '/server/sso/site_test/5';
const start = 'https://reports.northlab.org/login';

const siteTest = (changes: Partial<Test> = {}): Test => ({
  protocol: 'saml',
  state: 'waiting',
  title: 'Waiting for Reports',
  text: 'Sign in to the application in the new tab.',
  causes: [],
  steps: [],
  expires_at: new Date(Date.now() + 600_000).toISOString(),
  start_url: start,
  one_signature: 'none',
  ...changes,
});

const renderTest = () => {
  const tab = { path: '/', element: <SiteTest site={{ id: 5, name: 'Reports', domain: 'reports.northlab.org' }} /> };
  const network = { id: 7, name: 'northlab', sso_id: 'sso-northlab' };
  renderScreen({ id: checkadminId, loader: () => network, HydrateFallback: () => null, children: [tab] }, '/');
};

const show = (current: Test | null, answers = {}) => {
  const asked = stubServer({ [`GET ${path}`]: answer({ test: current }), ...answers });
  renderTest();
  return asked;
};

/** A tab that the browser opens during the click. */
const stubTab = () => {
  const tab = {
    close: vi.fn<() => void>(),
    location: { replace: vi.fn<(url: string) => void>() },
    opener: window as unknown,
  };
  const open = vi.spyOn(window, 'open').mockReturnValue(Object.assign(Object.create(null), tab) as Window);
  return { tab, open };
};
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

describe('§2.7 Test sign-in', () => {
  test('opens a tab at once, and sends it to the application when the test has begun', async () => {
    const { tab, open } = stubTab();
    show(null, { [`POST ${path}`]: answer(siteTest()) });
    await press('Test sign-in');
    expect(open).toHaveBeenCalledExactlyOnceWith('', '_blank');
    await waitFor(() => expect(tab.location.replace).toHaveBeenCalledExactlyOnceWith(start));
    expect(await screen.findByText('Waiting for Reports')).toBeDefined();
    expect(screen.getByRole('button', { name: 'Test sign-in again' })).toBeDefined();
  });

  test('closes the tab if the test could not begin', async () => {
    const { tab } = stubTab();
    show(null, { [`POST ${path}`]: refusal('forbidden') });
    await press('Test sign-in');
    await waitFor(() => expect(tab.close).toHaveBeenCalledOnce());
    expect(tab.location.replace).not.toHaveBeenCalled();
  });

  test('finds out whether one signature is enough, and saves it when the owner confirms it', async () => {
    const { tab } = stubTab();
    const stored = {
      id: 5,
      identity: 'urn:reports',
      acs: 'https://reports.northlab.org/acs',
      signs: 'both',
      version: 8,
    };
    const answers = {
      [`GET ${path}`]: answer({ test: siteTest({ state: 'done', one_signature: 'offered' }) }),
      [`POST ${path}`]: answer(siteTest({ state: 'done', one_signature: 'sent' })),
      'GET /server/sso/subscriber/5/northlab': answer(stored),
      'POST /server/sso/sites/update_site/northlab': answer(stored),
    };
    const asked = stubServer(answers);
    const changes = () => asked.filter((request) => request.path.includes('update_site'));
    renderTest();
    expect(screen.queryByRole('button', { name: 'Sign only the assertion' })).toBeNull();
    await press('Test with one signature');
    await waitFor(() => expect(tab.location.replace).toHaveBeenCalledExactlyOnceWith(start));
    expect(asked.map((request) => request.path)).toContain(`${path}?signs=assertion`);
    expect(changes()).toEqual([]);
    answers[`GET ${path}`] = answer({ test: siteTest({ state: 'done' }) });
    await press('Sign only the assertion');
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Sign only the assertion' })).toBeNull());
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Test sign-in again' }));
    const { version: _version, ...others } = stored;
    expect(changes()).toMatchObject([{ body: { ...others, signs: 'assertion', based_on: 8 } }]);
  });

  test('does not send a tab to an address that is no web page', async () => {
    const { tab } = stubTab();
    show(null, { [`POST ${path}`]: answer(siteTest({ start_url: 'javascript:alert(1)' })) });
    await press('Test sign-in');
    await waitFor(() => expect(tab.close).toHaveBeenCalledOnce());
    expect(tab.location.replace).not.toHaveBeenCalled();
    expect(screen.queryByRole('link', { name: 'Open Reports' })).toBeNull();
  });

  test('offers a link if the browser blocks the tab', async () => {
    vi.spyOn(window, 'open').mockReturnValue(null);
    show(null, { [`POST ${path}`]: answer(siteTest()) });
    await press('Test sign-in');
    expect(await screen.findByText(/did not open the tab/)).toBeDefined();
    expect(screen.getByRole('link', { name: 'Open Reports' }).getAttribute('href')).toBe(start);
  });

  test('says what is wrong, and opens the step', async () => {
    const text = 'The request asks for the response at https://x.';
    const at = '2026-11-02T10:00:00.000Z';
    show(
      siteTest({
        state: 'failed',
        title: 'The sign-in was refused',
        text,
        steps: [
          {
            id: 'request',
            at,
            checks: [
              { label: 'Entity ID', outcome: 'yes', text: 'It is registered.' },
              { label: 'ACS URL', outcome: 'no', text },
              { label: 'NameID', outcome: 'skipped', text: 'Not checked.' },
            ],
          },
        ],
      }),
    );
    const status = await screen.findByRole('status');
    expect(within(status).getByText('The sign-in was refused')).toBeDefined();
    const steps = screen.getByRole('list', { name: 'Steps of the test' });
    expect(within(steps).getByRole('group').hasAttribute('open')).toBe(true);
    expect(within(steps).getAllByText('Wrong:')).toHaveLength(2);
    expect(within(steps).getByText('Not checked:')).toBeDefined();
    expect(screen.getByRole('link', { name: 'See the diagnosis' }).getAttribute('href')).toBe(
      '/sso-servers/northlab/sites/reports.northlab.org/5/sso#diagnosis',
    );
  });

  test('follows a test until it is done, with what to compare', async () => {
    const answers = {
      [`GET ${path}`]: answer({ test: siteTest({ state: 'running', title: 'The response is ready' }) }),
    };
    const asked = stubServer(answers);
    renderTest();
    expect(await screen.findByText('The response is ready')).toBeDefined();
    answers[`GET ${path}`] = answer({
      test: siteTest({
        state: 'done',
        title: 'We sent a correct response',
        causes: ['The clock of the application is wrong.'],
      }),
    });
    expect(await screen.findByText('We sent a correct response', {}, { timeout: 90_000 })).toBeDefined();
    expect(screen.getByText('The clock of the application is wrong.')).toBeDefined();
    expect(asked.length).toBeGreaterThan(1);
  });
});
