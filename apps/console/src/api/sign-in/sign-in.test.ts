import { expect, test } from 'vitest';
import { signInUrl } from './sign-in.ts';

test('§4 route guard: sign-in returns to the page and its search', () => {
  expect(signInUrl({ pathname: '/a b', search: '?c=d&e=f' })).toBe('/server/saml/login?next=%2Fa%20b%3Fc%3Dd%26e%3Df');
});
