import { ApiError } from '@opensocial/contract';
import { expect, test } from 'vitest';
import { errorText, errorTextOr } from './error-text.ts';

const error = (cause: unknown) => new ApiError('internal', { message: 'The server answered 500.', cause });

test.each([
  [{ message: 'Said so', error: 'code', data: 'data' }, 'Said so'],
  [{ message: ' ', error: 'An error' }, 'An error'],
  [{ data: 'Some data' }, 'Some data'],
  ['plain text', 'plain text'],
  [undefined, 'The server answered 500.'],
  [null, 'The server answered 500.'],
])('§8 error text: an answer of %j reads %j', (answer, text) => {
  expect(errorText(error(answer))).toBe(text);
});

test('§8 error text: no answer at all says what to do', () => {
  expect(errorText(new TypeError('Failed to fetch'))).toBe(
    'The server could not be reached. Check your connection and try again.',
  );
});

test('§8 a deed with a text of its own says that where the server said nothing', () => {
  const fallback = 'Failed to update network mode';
  expect(errorTextOr(new ApiError('internal', { cause: { message: 'A reason.' } }), fallback)).toBe('A reason.');
  expect(errorTextOr(new ApiError('internal', { cause: {} }), fallback)).toBe(fallback);
  expect(errorTextOr(new TypeError('fetch failed'), fallback)).toBe(fallback);
});
