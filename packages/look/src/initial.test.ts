import { expect, test } from 'vitest';
import { initialOf } from './initial.ts';

test.each([
  ['reports', 'R'],
  ['  über', 'Ü'],
  ['👩‍🔬 lab', '👩‍🔬'],
  ['🇩🇪', '🇩🇪'],
  ['', '?'],
])('the initial of %j is %j', (name, initial) => {
  expect(initialOf(name)).toBe(initial);
});
