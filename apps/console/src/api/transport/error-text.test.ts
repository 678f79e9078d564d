import { ApiError, client, getSession } from '@opensocial/contract';
import { expect, test } from 'vitest';
import { errorFieldText, errorText, errorTextOr } from './error-text.ts';

/** The error that the client throws for a failed answer with this body. */
const errorFrom = (body: string): Promise<unknown> =>
  client({ fetch: async () => new Response(body, { status: 500 }) })(getSession, {}).catch((error: unknown) => error);

const json = JSON.stringify;

test.each([
  [json({ message: 'Said so', error: 'An error', data: 'data' }), 'Said so'],
  [json({ message: ' ', error: 'An error' }), 'An error'],
  [json({ error: 'An error' }), 'An error'],
  [json({ data: 'Some data' }), 'Some data'],
  [json('A bare text'), 'A bare text'],
  ['plain text', 'plain text'],
  ['', 'The server answered 500.'],
  ['null', 'The server answered 500.'],
  ['[]', 'The server answered 500.'],
])('§8 error text: the body %j gives the text %j', async (body, text) => {
  expect(errorText(await errorFrom(body))).toBe(text);
});

test.each([
  [json({ message: 'Said so', error: 'An error' }), 'An error'],
  [json({ message: 'Said so' }), 'Said so'],
  ['plain text', 'plain text'],
])('§8 error field: the body %j gives the text %j', async (body, text) => {
  expect(errorFieldText(await errorFrom(body))).toBe(text);
});

test('§8 error text: a missing response says what to do', () => {
  const text = 'The server could not be reached. Check your connection and try again.';
  expect(errorText(new TypeError('Failed to fetch'))).toBe(text);
  expect(errorFieldText(new TypeError('Failed to fetch'))).toBe(text);
});

test('§8 an action with its own text shows it if the server gave no reason', async () => {
  const fallback = 'Failed to update network mode';
  expect(errorTextOr(await errorFrom(json({ message: 'A reason.' })), fallback)).toBe('A reason.');
  expect(errorTextOr(await errorFrom('{}'), fallback)).toBe(fallback);
  expect(errorTextOr(new ApiError('internal'), fallback)).toBe(fallback);
  expect(errorTextOr(new TypeError('fetch failed'), fallback)).toBe(fallback);
});
