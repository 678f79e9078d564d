import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createGroupReader } from './group-reader.ts';

test('questions of one turn are asked together, and each gets its own answer', async () => {
  const groups: number[][] = [];
  const double = createGroupReader(async (numbers: number[]) => {
    groups.push(numbers);
    return numbers.map((number) => (number === 7 ? undefined : number * 2));
  });
  const answers = await Promise.all(Array.from({ length: 450 }, (_, index) => double(index)));
  expect(answers).toEqual(Array.from({ length: 450 }, (_, index) => (index === 7 ? undefined : index * 2)));
  expect(groups.map(({ length }) => length)).toEqual([200, 200, 50]);
});

test('a question does not wait for the answers to earlier ones', async () => {
  const asked: string[] = [];
  let finishFirst = (): void => undefined;
  const read = createGroupReader(async (names: string[]) => {
    asked.push(...names);
    if (names.includes('slow')) await new Promise<void>((resolve) => (finishFirst = resolve));
    return names;
  });
  const slow = read('slow');
  await nextTurn();
  expect(await read('quick')).toBe('quick');
  expect(asked).toEqual(['slow', 'quick']);
  finishFirst();
  expect(await slow).toBe('slow');
});

test('all questions of a group fail if it cannot be answered, and the next group is asked again', async () => {
  let isAway = true;
  const read = createGroupReader(async (names: string[]) => {
    if (isAway) throw new Error('away');
    return names;
  });
  const outcomes = await Promise.allSettled(['a', 'b'].map(read));
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isAway = false;
  expect(await read('a')).toBe('a');
});
