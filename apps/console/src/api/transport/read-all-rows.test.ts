import { expect, test } from 'vitest';
import { readAllRows } from './read-all-rows.ts';

const listOf = (total: number, size: number) => {
  const all = Array.from({ length: total }, (_, index) => ({ id: index + 1 }));
  return async (lastId: number) => ({ rows: all.slice(lastId, lastId + size), total });
};

test.each([
  [0, 300],
  [1, 300],
  [300, 300],
  [1_000, 300],
])('a list of %i rows is read completely', async (total, size) => {
  expect(await readAllRows(listOf(total, size))).toHaveLength(total);
});

test('a list that is too long or cannot be read is omitted, not truncated', async () => {
  expect(await readAllRows(listOf(1_001, 300))).toBeUndefined();
  expect(await readAllRows(() => Promise.reject(new Error('away')))).toBeUndefined();
});

test('reading a list that shrinks meanwhile ends', async () => {
  expect(await readAllRows(async (lastId) => ({ rows: lastId === 0 ? [{ id: 1 }] : [], total: 5 }))).toHaveLength(1);
});
