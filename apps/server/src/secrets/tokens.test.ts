import { describe, expect, test } from 'vitest';
import { hashToken, isSame, newLinkToken, newToken, newUid } from './tokens.ts';

describe('a token', () => {
  test('is 256 random bits in URL-safe characters', () => {
    const tokens = Array.from({ length: 1_000 }, newToken);
    expect(new Set(tokens).size).toBe(1_000);
    for (const token of tokens) expect(token).toMatch(/^[\w-]{43}$/);
  });

  test('§9 of a link in a mail has 40 characters', () => {
    const tokens = Array.from({ length: 1_000 }, newLinkToken);
    expect(new Set(tokens).size).toBe(1_000);
    for (const token of tokens) expect(token).toMatch(/^[\w-]{40}$/);
  });

  test('is stored as a hash, from which it cannot be recovered', () => {
    const token = newToken();
    expect(hashToken(token)).toHaveLength(32);
    expect(hashToken(token)).toEqual(hashToken(token));
    expect(hashToken(token).toString('base64url')).not.toBe(token);
    expect(hashToken(token)).not.toEqual(hashToken(`${token} `));
  });

  test('is compared correctly, whatever the lengths', () => {
    const token = newToken();
    expect(isSame(token, token)).toBe(true);
    for (const wrong of ['', token.slice(1), `${token}x`, token.toLowerCase()])
      expect(isSame(token, wrong)).toBe(false);
  });
});

test('a public id is 128 random bits', () => {
  const uids = Array.from({ length: 1_000 }, newUid);
  expect(new Set(uids).size).toBe(1_000);
  for (const uid of uids) expect(uid).toMatch(/^[0-9a-f]{32}$/);
});
