import { expect, test } from 'vitest';
import { personLabel } from './person-label.ts';

test.each([
  ['Ana Moreno', 'Ana Moreno (ana@northlab.org)'],
  ['', 'ana@northlab.org'],
  [' ', 'ana@northlab.org'],
])('a person with the name %o is called %s', (fullname, label) => {
  expect(personLabel({ fullname, email: 'ana@northlab.org' })).toBe(label);
});
