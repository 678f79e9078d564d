import { Button } from '@mantine/core';
import { act, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { lazy } from 'react';
import { expect, test, vi } from 'vitest';
import { renderScreen } from '../../testing/render-screen.tsx';
import { LazyMenu } from './lazy-menu.tsx';
import { OpeningPopover } from './opening-popover.tsx';

/** A menu whose code arrives when `arrive` is called. */
const showMenu = async () => {
  const code = Promise.withResolvers<{ default: typeof OpeningPopover }>();
  const Panel = lazy(() => code.promise);
  const load = vi.fn(() => code.promise);
  const element = (
    <LazyMenu
      load={load}
      popup="dialog"
      renderButton={(props) => (
        <Button {...props} type="button">
          More
        </Button>
      )}
    >
      {(target) => (
        <Panel target={target} label="More" className="">
          {(close) => <Button onClick={close}>Done</Button>}
        </Panel>
      )}
    </LazyMenu>
  );
  renderScreen({ path: '/', element }, '/');
  const button = await screen.findByRole('button', { name: 'More' });
  return { button, load, arrive: () => act(async () => code.resolve({ default: OpeningPopover })) };
};

test('a menu is loaded when the focus reaches its button', async () => {
  const { button, load } = await showMenu();
  expect(load).not.toHaveBeenCalled();
  act(() => button.focus());
  expect(load).toHaveBeenCalled();
});

test('the first press opens a menu that is still loading, and the button keeps the focus until then', async () => {
  const { button, arrive } = await showMenu();
  await userEvent.click(button);
  expect(screen.getByRole('button', { name: 'More' })).toBe(button);
  expect(document.activeElement).toBe(button);
  await arrive();
  expect(await screen.findByRole('dialog', { name: 'More' })).toBeDefined();
});

test('a closed menu returns the focus to its button, which opens it again', async () => {
  const { button, arrive } = await showMenu();
  await arrive();
  await userEvent.click(button);
  await userEvent.click(await screen.findByRole('button', { name: 'Done' }));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'More' })));
  await userEvent.keyboard('{Enter}');
  expect(await screen.findByRole('button', { name: 'Done' })).toBeDefined();
});
