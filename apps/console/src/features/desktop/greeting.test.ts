import { expect, test } from 'vitest';
import { greetingFor } from './greeting.ts';

test.each([
  [0, 'Hello, Ana'],
  [4, 'Hello, Ana'],
  [5, 'Good morning, Ana'],
  [12, 'Good afternoon, Ana'],
  [18, 'Good evening, Ana'],
  [23, 'Good evening, Ana'],
])('§2.3 desktop: at %i o’clock the greeting is %j', (hour, greeting) => {
  expect(greetingFor('Ana Moreno', new Date(2026, 0, 1, hour))).toBe(greeting);
});

test.each(['  ', 'owner@localhost.localdomain'])(
  '§2.3 desktop: a person named %j gets a greeting without a name',
  (name) => {
    expect(greetingFor(name, new Date(2026, 0, 1, 9))).toBe('Good morning');
  },
);
