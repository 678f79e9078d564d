import type { GettingStarted as Started } from '@opensocial/contract';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import { sessionQuery } from '../../../api/session/session.ts';
import { queryClient } from '../../../api/transport/query-client.ts';
import { sessionUser } from '../../../testing/builders.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { answer, refusal, stubServer } from '../../../testing/stub-server.ts';
import { GettingStarted } from './getting-started.tsx';

beforeEach(() => {
  queryClient.clear();
  queryClient.setQueryData(sessionQuery.queryKey, { user: sessionUser(), csrf: '' });
});

const path = '/server/sso/getting_started/opensocial';
const started: Started = {
  steps: [
    { step: 'mail', done: false },
    { step: 'network', done: false },
    { step: 'application', done: false },
    { step: 'people', done: true },
    { step: 'second_factor', done: false },
    { step: 'branding', done: false },
    { step: 'backup', done: false },
  ],
  dismissed: false,
  sends_mail: true,
  outbox: null,
  backups: null,
};

const show = (first: Started, answers: Parameters<typeof stubServer>[0] = {}) => {
  const asked = stubServer({ [`GET ${path}`]: answer(first), ...answers });
  renderScreen({ path: 'desktop', element: <GettingStarted network="opensocial" /> }, '/desktop');
  return asked;
};

describe('§2.3 first steps', () => {
  test('show what is done, and a link for each open step', async () => {
    show(started);
    expect(await screen.findByText('1 of 7 done')).toBeDefined();
    const links = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
    expect(links).toEqual([
      '/sso-servers',
      '/sso-servers/opensocial/connect',
      '/profile',
      '/sso-servers/opensocial/settings',
    ]);
    expect(screen.getByText('(done)').parentElement?.textContent).toBe('Invite people (done)');
  });

  test('are not shown if all are done or an owner has hidden them', async () => {
    const done = { ...started, steps: started.steps.map(({ step }) => ({ step, done: true })) };
    const asked = show(done);
    await waitFor(() => expect(asked).toHaveLength(1));
    expect(screen.queryByText('Get started')).toBeNull();
    queryClient.setQueryData(['getting-started', 'opensocial'], { ...started, dismissed: true });
    await waitFor(() => expect(screen.queryByRole('region')).toBeNull());
    expect(screen.queryByText('The first steps are hidden.')).toBeNull();
  });

  test('are hidden with one click, and that can be undone', async () => {
    const asked = show(started, { [`PUT ${path}`]: answer({ ...started, dismissed: true }) });
    await userEvent.click(await screen.findByRole('button', { name: 'Hide' }));
    expect(await screen.findByText('The first steps are hidden.')).toBeDefined();
    expect(screen.queryByText('Get started')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
    await waitFor(() =>
      expect(asked.flatMap(({ body }) => (body ? [body] : []))).toEqual([{ dismissed: true }, { dismissed: false }]),
    );
  });

  test('a test email is sent, and a failure says what the mail server answered', async () => {
    show(started, {
      'POST /server/sso/installation/test_mail': answer({ to: 'ana@northlab.org', failure: '535 Wrong password' }),
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Send a test email' }));
    expect(await screen.findByText('The mail server did not accept the email: 535 Wrong password')).toBeDefined();
  });

  test('without a mail server there is nothing to send, and the folder of the mails is named', async () => {
    show({ ...started, sends_mail: false, outbox: '/srv/sso/outbox' });
    expect(await screen.findByText(/emails are saved in \/srv\/sso\/outbox\.$/)).toBeDefined();
    expect(await screen.findByText('Set up a mail server')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Send a test email' })).toBeNull();
  });

  test('backups are confirmed', async () => {
    const asked = show(started, { 'PUT /server/sso/installation/backups': answer({ done: true }) });
    await userEvent.click(await screen.findByRole('button', { name: 'Backups are made' }));
    await waitFor(() => expect(asked.flatMap(({ body }) => (body ? [body] : []))).toEqual([{ done: true }]));
  });

  test.for<[Partial<NonNullable<Started['backups']>>, RegExp]>([
    [{}, /^There is no backup yet\. The server makes the first one within ten minutes\.$/],
    [{ made_at: '2026-11-01T10:00:00.000Z' }, /^The last backup is of .* 2026 .*\. The next one is overdue/],
    [
      { failed_at: '2026-11-02T10:00:00.000Z', failure: '/backups has no space left.' },
      /^The backup of .* failed: \/backups has no space left\. There is no backup yet\.$/,
    ],
  ])('scheduled backups need no confirmation, and say what is wrong with them: %j', async ([state, words]) => {
    const backups = { works: false, made_at: null, failed_at: null, failure: '', ...state };
    show({ ...started, backups });
    expect(await screen.findByText(words)).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Backups are made' })).toBeNull();
  });

  test('a failure to load them does not disturb the desktop', async () => {
    const asked = show(started, { [`GET ${path}`]: refusal('forbidden') });
    await waitFor(() => expect(asked.length).toBeGreaterThan(0));
    expect(screen.queryByRole('alert')).toBeNull();
  });
});
