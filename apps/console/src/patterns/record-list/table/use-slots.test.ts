import { renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useSlots } from './use-slots.ts';

/** Renders rows by their ids and returns their slots. */
const begin = () => {
  const { result } = renderHook(() => useSlots());
  return (ids: number[], kept?: number) => result.current(ids, kept);
};

test('a row keeps its slot while it is rendered, and a new row gets a new slot', () => {
  const draw = begin();
  const [, second, third] = draw([1, 2, 3]);
  expect(draw([2, 3])).toEqual([second, third]);
  const [, , fourth] = draw([2, 3, 4]);
  expect(draw([1, 2, 3, 4])).toEqual([expect.any(Number), second, third, fourth]);
  expect(new Set(draw([1, 2, 3, 4])).size).toBe(4);
});

test('entirely new rows reuse the slots of the old rows, in order', () => {
  const draw = begin();
  const former = draw([1, 2, 3]);
  expect(draw([11, 12, 13])).toEqual(former);
  const [first, second, third, fourth] = draw([21, 22, 23, 24]);
  expect([first, second, third]).toEqual(former);
  expect(former).not.toContain(fourth);
  expect(draw([31])).toEqual([first]);
});

test('the focused row is not moved in the DOM', () => {
  const draw = begin();
  const [first, second, held, fourth, fifth] = draw([1, 2, 3, 4, 5], 3);
  // All new rows are after the focused row, so the slots before it are released.
  const far = draw([3, 51, 52, 53], 3);
  expect(far.slice(0, 3)).toEqual([held, fourth, fifth]);
  expect([first, second]).not.toContain(far[3]);
  // Rows that had slots after the focused row do not come before it again.
  const back = draw([1, 2, 3, 4, 5], 3);
  expect(back[2]).toBe(held);
  expect(far).not.toContain(back[0]);
  expect(far).not.toContain(back[1]);
  expect(back.slice(3)).toEqual([fourth, fifth]);
});
