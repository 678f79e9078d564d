import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { checkadminId } from '../../api/session/admin-network.ts';
import { stubLayout } from '../../testing/layout.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { answer, stubServer } from '../../testing/stub-server.ts';
import { GroupsField } from './groups-field.tsx';

beforeEach(() => stubLayout());

const group = (id: number, name: string) => ({ id, name, description: '', sso_server: 7 });

function Field() {
  const [ids, setIds] = useState<string[]>([]);
  return (
    <>
      <GroupsField value={ids} onChange={setIds} />
      <output>{ids.join(' ')}</output>
    </>
  );
}

test('§2.6 a network without groups: one is added at the field, and chosen', async () => {
  const asked = stubServer({
    'GET /server/sso/groups/7/0/northlab': answer({ groups: [], all_groups: 0 }),
    'POST /server/sso/group/new/': answer(group(5, 'Chemists')),
  });
  const onSubmit = vi.fn();
  const Outer = () => (
    <div onSubmit={onSubmit}>
      <Field />
    </div>
  );
  renderScreen(
    { id: checkadminId, path: '*', loader: () => ({ id: 7, name: 'northlab' }), Component: Outer },
    '/sso-servers/northlab',
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Add New Group' }));
  await userEvent.type(await screen.findByLabelText(/^Group Name/), 'Chemists');
  await userEvent.type(screen.getByLabelText(/^Description/), 'They mix');
  await userEvent.click(screen.getByRole('button', { name: 'Add Group' }));
  expect(await screen.findByText('Chemists', { selector: '.mantine-Pill-label' })).toBeDefined();
  expect(asked.flatMap(({ body }) => (body ? [body] : []))).toEqual([
    { name: 'Chemists', description: 'They mix', sso_server: 7 },
  ]);
  expect(onSubmit).not.toHaveBeenCalled();
});

test('§2.8 groups of a new user: a group after the first page is found by its name', async () => {
  const firstPage = Array.from({ length: 20 }, (_, index) => group(index + 1, `Chemists ${index + 1}`));
  stubServer({
    'GET /server/sso/groups/7/0/northlab': answer({ groups: firstPage, all_groups: 500 }),
    'GET /server/sso/groups/7/search/Zoo/0/northlab': answer({ groups: [group(499, 'Zoologists')], all_groups: 1 }),
  });
  renderScreen(
    { id: checkadminId, path: '*', loader: () => ({ id: 7, name: 'northlab' }), Component: Field },
    '/sso-servers/northlab',
  );
  expect(await screen.findByText('20 of 500 groups are listed. Type a name to find others.')).toBeDefined();
  const field = screen.getByRole('combobox', { name: 'Groups' });
  await userEvent.click(field);
  await userEvent.click(await screen.findByRole('option', { name: 'Chemists 3' }));
  await userEvent.type(field, 'Zoo');
  await userEvent.click(await screen.findByRole('option', { name: 'Zoologists' }));
  expect(screen.getByRole('status').textContent).toBe('3 499');
  for (const name of ['Chemists 3', 'Zoologists'])
    expect(screen.getByText(name, { selector: '.mantine-Pill-label' })).toBeDefined();
});
