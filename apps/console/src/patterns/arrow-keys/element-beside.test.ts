import { expect, test } from 'vitest';
import { elementBeside } from './element-beside.ts';

const at = (left: number, top: number): HTMLElement => {
  const element = document.createElement('button');
  Object.defineProperties(element, { offsetLeft: { value: left }, offsetTop: { value: top } });
  return element;
};

/** Rows of three, two and three elements. The middle row is offset. */
const grid = [at(0, 0), at(40, 0), at(80, 0), at(20, 30), at(62, 30), at(0, 60), at(40, 60), at(80, 60)];

test.each([
  [0, 'ArrowRight', 1],
  [2, 'ArrowRight', 3],
  [3, 'ArrowLeft', 2],
  [0, 'ArrowLeft', undefined],
  [7, 'ArrowRight', undefined],
  [2, 'ArrowDown', 4],
  [0, 'ArrowDown', 3],
  [6, 'ArrowUp', 3],
  [7, 'ArrowUp', 4],
  [5, 'ArrowDown', undefined],
  [4, 'Home', 0],
  [4, 'End', 7],
  [4, 'a', undefined],
])('§8 keyboard: from %i, %s moves to %s', (from, key, to) => {
  expect(elementBeside(grid, grid[from] ?? null, key)).toBe(to === undefined ? undefined : grid[to]);
});

test('§8 keyboard: without a focused element no key moves the focus', () => {
  expect(elementBeside(grid, document.body, 'ArrowRight')).toBeUndefined();
});
