import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { ApiError } from '@opensocial/contract';
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { sessionQuery } from '../../api/session/session.ts';
import { queryClient } from '../../api/transport/query-client.ts';
import { sessionUser } from '../../testing/builders.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { useConflict } from './use-conflict.tsx';

type Values = { name: string; terms: string; version: number };

const current: Values = { name: 'Reports of the lab', terms: 'https://northlab.org/terms', version: 2 };

const conflict = { changed_by: 'ben@northlab.org', changed_at: '2026-11-06T09:30:00.000Z', fields: ['name', 'terms'] };
const refused = new ApiError('changed_meanwhile', { cause: { conflict } });

/** A form that was opened at version 1; a save of that version is refused. */
function Form({ saved }: { saved: Values[] }) {
  const form = useForm<Values>({ initialValues: { name: 'Reports', terms: '', version: 1 } });
  const { handleConflict, conflictDialog } = useConflict({
    form,
    load: async () => current,
    save: (values) => save(values),
    busy: false,
    labels: { name: 'Site Name' },
  });
  const save = (values: Values) => {
    if (values.version < current.version) handleConflict(refused);
    else saved.push(values);
  };
  return (
    <form onSubmit={form.onSubmit(save)}>
      <TextInput label="Name" {...form.getInputProps('name')} />
      <TextInput label="Terms" {...form.getInputProps('terms')} />
      <Button type="submit">Save</Button>
      {conflictDialog}
    </form>
  );
}

const saveMine = async () => {
  const saved: Values[] = [];
  queryClient.setQueryData(sessionQuery.queryKey, { user: sessionUser(), csrf: '' });
  renderScreen({ path: '/', element: <Form saved={saved} /> }, '/');
  const name = screen.getByRole('textbox', { name: 'Name' });
  await userEvent.clear(name);
  await userEvent.type(name, 'My reports');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  const dialog = await screen.findByRole('dialog', { name: 'This was changed in the meantime' });
  const press = (button: string) => userEvent.click(within(dialog).getByRole('button', { name: button }));
  return { saved, name: name as HTMLInputElement, dialog, press };
};

test('§2.10 a conflicting save shows who changed what and when, and keeps the input', async () => {
  const { saved, name, dialog, press } = await saveMine();
  expect(dialog.textContent).toContain('ben@northlab.org changed this on Fri, Nov 6, 2026');
  const row = within(dialog).getByRole('row', { name: /Site Name/ });
  expect(row.textContent).toBe('Site NameReports of the labMy reports');
  expect(within(dialog).getByRole('row', { name: /Terms/ }).textContent).toContain('not changed by you');
  expect(document.activeElement?.textContent).toBe('Keep editing');
  await press('Keep editing');
  expect(name.value).toBe('My reports');
  expect(saved).toEqual([]);
});

test('§2.10 overwriting saves the fields that were edited here, and keeps the other changes', async () => {
  const { saved, press } = await saveMine();
  await press('Save mine anyway');
  expect(saved).toEqual([{ ...current, name: 'My reports' }]);
});

test('§2.10 taking the current values loads them into the form; the next save is based on them', async () => {
  const { saved, name, press } = await saveMine();
  await press('Use theirs');
  expect(name.value).toBe(current.name);
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(saved).toEqual([current]);
});
