import { expect, test } from 'vitest';
import { pagedQuery, withoutRows, withRowsFirst } from './paged-query.ts';

const page = (ids: number[], total: number) => ({ rows: ids.map((id) => ({ id })), total, ended: ids.length === 0 });
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
