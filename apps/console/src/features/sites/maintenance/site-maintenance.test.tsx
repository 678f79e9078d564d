import type { SiteMaintenance as Maintenance } from '@opensocial/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { checkadminId } from '../../../api/session/admin-network.ts';
import { sessionQuery } from '../../../api/session/session.ts';
import { queryClient } from '../../../api/transport/query-client.ts';
import { describeTileState } from '../../../patterns/app-tile/tile-state.ts';
import { sessionUser } from '../../../testing/builders.ts';
import { stubLayout } from '../../../testing/layout.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { answer, refusal, stubServer } from '../../../testing/stub-server.ts';
import { fromField, toField } from './local-time.ts';
import { SiteMaintenance } from './site-maintenance.tsx';

beforeEach(() => {
  stubLayout();
  queryClient.clear();
  queryClient.setQueryData(sessionQuery.queryKey, { user: sessionUser(), csrf: '' });
});

const network = { id: 7, name: 'northlab', sso_id: 'sso-northlab' };
const none: Maintenance = { closes_at: null, opens_at: null, testers: null, version: 3 };
const path = '/server/sso/site_maintenance/5';

const show = (maintenance: Maintenance, saved = answer(maintenance)) => {
  const asked = stubServer({
    [`GET ${path}`]: answer(maintenance),
    [`PUT ${path}`]: saved,
    'GET /server/sso/groups/7/0/northlab': answer({ groups: [{ id: 31, name: 'Testers' }], all_groups: 1 }),
  });
  renderScreen(
    {
      id: checkadminId,
      path: 'sites',
      loader: () => network,
      HydrateFallback: () => null,
      element: <SiteMaintenance siteId={5} />,
    },
    '/sites',
  );
  return { sent: () => asked.flatMap(({ body }) => (body ? [body] : [])) };
};

const open = async () => {
  await userEvent.click(await screen.findByRole('button', { name: 'Plan maintenance' }));
  return screen.findByRole('dialog', { name: 'Plan maintenance' });
};

describe('§2.7 planned maintenance', () => {
  test.each([
    ['UTC', '2030-05-01T10:00:00.000Z'],
    ['America/New_York', '2030-05-01T14:00:00.000Z'],
  ])('is read from its field in the time zone %s of the viewer', (zone, moment) => {
    vi.stubEnv('TZ', zone);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(fromField('2030-05-01T10:00', null)).toBe(moment);
    expect(toField(moment)).toBe('2030-05-01T10:00');
  });

  test('is planned in the time zone of the viewer', async () => {
    const { sent } = show(none);
    const dialog = await open();
    fireEvent.change(within(dialog).getByLabelText('Closes'), { target: { value: '2030-05-01T10:00' } });
    fireEvent.change(within(dialog).getByLabelText('Opens'), { target: { value: '2030-05-01T12:30' } });
    await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sent()).toHaveLength(1));
    expect(sent()).toEqual([
      {
        closes_at: new Date(2030, 4, 1, 10, 0).toISOString(),
        opens_at: new Date(2030, 4, 1, 12, 30).toISOString(),
        testers_group_id: null,
        based_on: 3,
      },
    ]);
  });

  test('an end before the beginning is not sent', async () => {
    const { sent } = show(none);
    const dialog = await open();
    fireEvent.change(within(dialog).getByLabelText('Closes'), { target: { value: '2030-05-01T10:00' } });
    fireEvent.change(within(dialog).getByLabelText('Opens'), { target: { value: '2030-05-01T09:00' } });
    await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }));
    expect(await within(dialog).findByText('The site has to open after it has closed.')).toBeDefined();
    expect(sent()).toEqual([]);
  });

  test('a time in the past is shown at its field', async () => {
    show(none, refusal('maintenance_past'));
    const dialog = await open();
    fireEvent.change(within(dialog).getByLabelText('Closes'), { target: { value: '2020-05-01T10:00' } });
    await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }));
    expect(await within(dialog).findByText('Choose a time in the future.')).toBeDefined();
  });

  test('a chosen group of testers is sent', async () => {
    const { sent } = show(none);
    const dialog = await open();
    await userEvent.click(within(dialog).getByRole('combobox', { name: 'Testers' }));
    await userEvent.click(await screen.findByRole('option', { name: 'Testers' }));
    await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sent()).toMatchObject([{ testers_group_id: 31, closes_at: null }]));
  });

  test('a plan that somebody else has changed meanwhile is not overwritten, and the dialog says so', async () => {
    const conflict = { changed_by: 'ben@northlab.org', changed_at: new Date(0).toISOString(), fields: ['closes_at'] };
    const { status, body } = refusal('changed_meanwhile');
    show(none, { status, body: { ...(body as object), conflict } });
    const dialog = await open();
    fireEvent.change(within(dialog).getByLabelText('Closes'), { target: { value: '2030-05-01T10:00' } });
    await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }));
    expect(await within(dialog).findByText(/^Somebody else has changed the site in the meantime/)).toBeDefined();
    expect(within(dialog).getByLabelText('Closes')).toHaveProperty('value', '2030-05-01T10:00');
  });

  test('a stored time keeps its seconds unless it is changed', () => {
    const stored = new Date(2030, 4, 1, 10, 0, 27).toISOString();
    expect(fromField(toField(stored), stored)).toBe(stored);
    expect(fromField('', stored)).toBeNull();
  });

  test('tiles announce it', () => {
    const moment = new Date(2030, 4, 1, 10, 0).toISOString();
    expect(describeTileState({ is_closed: false, closes_at: moment, opens_at: null })).toBe('Closes May 1');
    expect(describeTileState({ is_closed: true, closes_at: null, opens_at: moment })).toBe('Closed until May 1');
    expect(describeTileState({ is_closed: true, closes_at: null, opens_at: null })).toBeUndefined();
    expect(describeTileState({ is_unreachable: true, closes_at: moment })).toBe('Not reachable');
    expect(describeTileState({})).toBeUndefined();
    const today = new Date();
    today.setHours(23, 5);
    expect(describeTileState({ closes_at: today.toISOString() })).toMatch(/^Closes 11:05\sPM$/);
  });
});
