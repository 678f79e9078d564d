import { expect, test } from 'vitest';
import { separateThousands } from './separate-thousands.ts';

test.each([0, 5, 100, 999, 1_000, 10_000, 123_456, 1_000_000])('writes %i as the language English does', (number) => {
  expect(separateThousands(number)).toBe(number.toLocaleString('en'));
});
