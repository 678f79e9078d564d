import { renderHook } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { useScrollAnchor } from './use-scroll-anchor.ts';
import { rowHeight } from './use-virtual-rows.ts';

const rowsOf = (...ids: number[]) => ids.map((id) => ({ id }));

const begin = (scrollTop: number) => {
  const scroller = { current: Object.assign(document.createElement('div'), { scrollTop }) };
  const onAdded = vi.fn();
  const { rerender } = renderHook(({ rows }) => useScrollAnchor(scroller, rows, onAdded), {
    initialProps: { rows: rowsOf(3, 2, 1) },
  });
  return { show: (...ids: number[]) => rerender({ rows: rowsOf(...ids) }), scroller: scroller.current, onAdded };
};

test('rows added above the visible rows leave them in place', () => {
  const { show, scroller, onAdded } = begin(120);
  show(5, 4, 3, 2, 1);
  expect(scroller.scrollTop).toBe(120 + 2 * rowHeight);
  expect(onAdded).toHaveBeenCalledExactlyOnceWith(2);
  show(5, 4, 3, 2, 1, 0);
  expect(scroller.scrollTop).toBe(120 + 2 * rowHeight);
});

test('at the very top the new rows become visible', () => {
  const { show, scroller } = begin(0);
  show(4, 3, 2, 1);
  expect(scroller.scrollTop).toBe(0);
});

test('entirely different rows do not move the scroll position', () => {
  const { show, scroller, onAdded } = begin(120);
  show(9, 8);
  show(8);
  expect(scroller.scrollTop).toBe(120);
  expect(onAdded).not.toHaveBeenCalled();
});
