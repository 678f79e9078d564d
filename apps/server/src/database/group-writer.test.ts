import { expect, test } from 'vitest';
import { createGroupWriter } from './group-writer.ts';

test('items that arrive during a write go into the next one', async () => {
  const groups: number[][] = [];
  const write = createGroupWriter<number>(async (items) => {
    groups.push(items);
  });
  await Promise.all(Array.from({ length: 450 }, (_, index) => write(index)));
  expect(groups.map(({ length }) => length)).toEqual([1, 200, 200, 49]);
  expect(groups.flat()).toEqual(Array.from({ length: 450 }, (_, index) => index));
  await write(450);
  expect(groups.at(-1)).toEqual([450]);
});

test('an item that cannot be written fails alone', async () => {
  const written: number[] = [];
  const write = createGroupWriter<number>(async (items) => {
    if (items.includes(3)) throw new Error('not that one');
    written.push(...items);
  });
  const outcomes = await Promise.allSettled([1, 2, 3, 4].map(write));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  expect(written).toEqual([1, 2, 4]);
});

test('all fail at once if the database is unavailable', async () => {
  let tries = 0;
  const write = createGroupWriter<number>(async () => {
    tries += 1;
    throw Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });
  });
  const outcomes = await Promise.allSettled([1, 2, 3, 4].map(write));
  expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
  expect(tries).toBe(2);
});
