import { Button, MultiSelect, Popover, TextInput } from '@mantine/core';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { renderScreen } from '../../testing/render-screen.tsx';
import { SidePanel } from '../side-panel/side-panel.tsx';
import { UnsavedGuard } from '../side-panel/unsaved-guard.tsx';
import { CancelButton } from './cancel-button.tsx';
import { Dialog } from './dialog.tsx';

const escape = () => userEvent.keyboard('{Escape}');
const question = () => screen.queryByRole('dialog', { name: 'Leave without saving?' });

/** A field, a drop-down and a popover. */
function Fields({ onType }: { onType: (text: string) => void }) {
  return (
    <>
      <TextInput label="Name" onChange={(event) => onType(event.currentTarget.value)} />
      <MultiSelect label="Groups" data={['Chemists', 'Nurses']} comboboxProps={{ withinPortal: false }} searchable />
      <Popover trapFocus withRoles={false}>
        <Popover.Target>
          <Button>Colour</Button>
        </Popover.Target>
        <Popover.Dropdown>
          <input aria-label="Own colour" data-autofocus />
        </Popover.Dropdown>
      </Popover>
    </>
  );
}

function InDialog() {
  const [isOpen, setIsOpen] = useState(true);
  const [text, setText] = useState('');
  return isOpen ? (
    <Dialog title="Add New Site" dirty={text !== ''} onClose={() => setIsOpen(false)}>
      <Fields onType={setText} />
      <CancelButton />
    </Dialog>
  ) : (
    'closed'
  );
}

function InPanel() {
  const [text, setText] = useState('');
  return (
    <SidePanel closeTo="/" plate="+" name="New user">
      <Fields onType={setText} />
      <UnsavedGuard active={text !== ''} />
    </SidePanel>
  );
}

const routes = {
  children: [
    { path: '/', element: 'closed' },
    { path: '/dialog', element: <InDialog /> },
    { path: '/panel', element: <InPanel /> },
  ],
};

test.each(['/dialog', '/panel'])(
  '§2.6 Escape asks for confirmation before unsaved input is lost, and focuses the safe button: %s',
  async (path) => {
    renderScreen(routes, path);
    await userEvent.type(await screen.findByRole('textbox', { name: 'Name' }), 'x');
    await escape();
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Keep editing'));
    await escape();
    await waitFor(() => expect(question()).toBeNull());
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('x');
    await escape();
    await userEvent.click(await screen.findByRole('button', { name: 'Leave without saving' }));
    expect(await screen.findByText('closed')).toBeDefined();
  },
);

test.each(['/dialog', '/panel'])('§2.8 Escape closes an open drop-down first: %s', async (path) => {
  renderScreen(routes, path);
  await userEvent.type(await screen.findByRole('textbox', { name: 'Name' }), 'x');
  const groups = screen.getByRole('combobox', { name: 'Groups' });
  await userEvent.click(groups);
  await waitFor(() => expect(groups.getAttribute('aria-expanded')).toBe('true'));
  await escape();
  await waitFor(() => expect(groups.getAttribute('aria-expanded')).toBe('false'));
  expect(question()).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Colour' }));
  await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Own colour'));
  await escape();
  await waitFor(() => expect(screen.queryByLabelText('Own colour')).toBeNull());
  expect(question()).toBeNull();
  await escape();
  await waitFor(() => expect(question()).not.toBeNull());
});

test.each(['/dialog', '/panel'])('§2.6 Escape closes at once without unsaved input: %s', async (path) => {
  renderScreen(routes, path);
  await screen.findByRole('textbox', { name: 'Name' });
  await escape();
  expect(await screen.findByText('closed')).toBeDefined();
  expect(question()).toBeNull();
});

test('§2.6 Cancel asks for confirmation before unsaved input is lost, like Escape', async () => {
  renderScreen(routes, '/dialog');
  await userEvent.type(await screen.findByRole('textbox', { name: 'Name' }), 'x');
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Keep editing' }));
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('x');
  await userEvent.clear(screen.getByRole('textbox', { name: 'Name' }));
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(await screen.findByText('closed')).toBeDefined();
});

function InTwoSteps() {
  const [step, setStep] = useState(0);
  return (
    <>
      <Button onClick={() => setStep(1)}>Invite</Button>
      {step === 1 && (
        <Dialog key="1" title="Invite somebody" onClose={() => setStep(0)}>
          <Button onClick={() => setStep(2)}>Continue</Button>
        </Dialog>
      )}
      {step === 2 && (
        <Dialog key="2" title="The link" onClose={() => setStep(0)}>
          <CancelButton />
        </Dialog>
      )}
    </>
  );
}

test('a dialog that takes the place of another one returns the focus to the opener of that one', async () => {
  renderScreen({ path: '/', element: <InTwoSteps /> }, '/');
  await userEvent.click(await screen.findByRole('button', { name: 'Invite' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Continue' }));
  await screen.findByRole('dialog', { name: 'The link' });
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(document.activeElement?.textContent).toBe('Invite');
});
