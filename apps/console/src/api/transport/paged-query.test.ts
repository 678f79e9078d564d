import { expect, test } from 'vitest';
import { isQuick, pagedQuery, totalOf, withoutRows, withRowsFirst, withTotal } from './paged-query.ts';

const page = (ids: number[], total: number) => ({
  rows: ids.map((id) => ({ id })),
  total,
  isMinimum: false,
  ended: ids.length === 0,
});
const { getNextPageParam } = pagedQuery({ queryKey: ['x'], page: () => Promise.reject(new Error('not asked')) });
const next = (pages: ReturnType<typeof page>[]) => getNextPageParam(page([], 0), pages, 0, []);

test.each([
  ['the last id while there is more', [page([1, 2], 5), page([3], 5)], 3],
  ['nothing once the total is reached', [page([1, 2], 2)], undefined],
  ['nothing after an empty page', [page([1], 9), page([], 9)], undefined],
  [
    'the last row that is left, where the last page was deleted',
    [page([1, 2], 9), { ...page([], 9), ended: false }],
    2,
  ],
  ['the start, where everything loaded was deleted', [{ ...page([], 9), ended: false }], 0],
  ['the last id, if there are more than the total', [{ ...page([1, 2], 2), isMinimum: true }], 2],
])('§4 lists: the next cursor is %s', (_case, pages, cursor) => {
  expect(next(pages)).toBe(cursor);
});

test('§4 lists: deleting removes rows locally at once, and from the total', () => {
  const held = { pages: [page([1, 2], 4), page([3, 4], 4)], pageParams: [0, 2] };
  const left = withoutRows(new Set([2, 3]))(held);
  expect(left?.pages.flatMap(({ rows }) => rows.map(({ id }) => id))).toEqual([1, 4]);
  expect(left?.pages.map(({ total }) => total)).toEqual([2, 2]);
  expect(withoutRows(new Set([1]))(undefined)).toBeUndefined();
});

test('new rows are put first, without duplicates, and counted', () => {
  const held = { pages: [page([3, 2], 3), page([1], 3)], pageParams: [0, 2] };
  const grown = withRowsFirst([{ id: 5 }, { id: 4 }, { id: 2 }])(held);
  expect(grown?.pages.map(({ rows }) => rows.map(({ id }) => id))).toEqual([[5, 4, 3, 2], [1]]);
  expect(grown?.pages.map(({ total }) => total)).toEqual([5, 5]);
  expect(withRowsFirst([{ id: 1 }])(held)).toBe(held);
  expect(withRowsFirst([{ id: 1 }])(undefined)).toBeUndefined();
});

test('§4 lists: a complete total replaces the quick one, also if it is a minimum itself', () => {
  const quick = { ...page([1], 300), isMinimum: true };
  expect([quick, { total: 10_000, isMinimum: true }].map(isQuick)).toEqual([true, true]);
  expect([page([1], 300), { total: 100_000, isMinimum: true }].map(isQuick)).toEqual([false, false]);
  const complete = { total: 100_000, isMinimum: true };
  const held = withTotal(complete)({ pages: [quick, { ...quick }], pageParams: [0, 1] });
  expect(held?.pages.map(({ total }) => total)).toEqual([100_000, 100_000]);
  expect(totalOf([...(held?.pages ?? []), quick])).toEqual(complete);
  expect(totalOf([quick])).toEqual({ total: 300, isMinimum: true });
  expect(totalOf([page([1], 9), page([2], 8)])).toEqual({ total: 8, isMinimum: false });
  expect(totalOf([])).toEqual({ total: 0, isMinimum: false });
});

test('§4 lists: a minimum stays the same round number if rows are added or removed', () => {
  const held = { pages: [{ ...page([1, 2], 100_000), isMinimum: true }], pageParams: [0] };
  expect(withoutRows(new Set([1]))(held)?.pages.at(0)?.total).toBe(100_000);
  expect(withRowsFirst([{ id: 9 }])(held)?.pages.at(0)?.total).toBe(100_000);
});
