import { expect, test } from 'vitest';
import { initialsOf } from './initials.ts';

test.each([
  ['Ana Lucía Moreno', 'AM'],
  ['  ana ', 'A'],
  ['李 小龙', '李小'],
  ['', ''],
])('§2.2 top bar: the initials of %j are %j', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
