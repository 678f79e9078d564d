import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { showFault } from '../patterns/toast/show-fault.tsx';
import { showSuccess } from '../patterns/toast/show-success.tsx';
import { Toasts } from './toasts.tsx';

const pass = (milliseconds: number): void => act(() => void vi.advanceTimersByTime(milliseconds));
const shown = () => screen.queryAllByRole('alert').map(({ textContent }) => textContent);

beforeEach(() => {
  vi.useFakeTimers();
  render(
    <MantineProvider env="test">
      <Toasts />
    </MantineProvider>,
  );
});
afterEach(() => {
  pass(10_000);
  vi.useRealTimers();
});

test('§9 toasts: each is visible for 5000 ms', () => {
  act(() => showSuccess('Saved'));
  pass(1_000);
  act(() => showFault('Not saved'));
  pass(3_999);
  expect(shown()).toEqual(['Saved', 'Not saved']);
  pass(1);
  expect(shown()).toEqual(['Not saved']);
  pass(1_000);
  expect(shown()).toEqual([]);
});

test('toasts: a repeated error does not add a second toast', () => {
  act(() => showFault('Not saved'));
  act(() => showFault('Not saved'));
  expect(shown()).toEqual(['Not saved']);
});

test('toasts: a toast stays while the pointer is on it, and disappears when it is dismissed', () => {
  act(() => showSuccess('Saved'));
  fireEvent.mouseEnter(screen.getByRole('alert'));
  pass(20_000);
  expect(shown()).toEqual(['Saved']);
  fireEvent.click(screen.getByRole('button'));
  expect(shown()).toEqual([]);
});
