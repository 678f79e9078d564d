import { Secret, TOTP, URI } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { newTotpSecret, toBase32, totpAddress, totpCode, totpStep } from './totp.ts';

describe('TOTP', () => {
  /** The examples of RFC 6238, appendix B, cut to six digits. */
  test.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('matches the example of RFC 6238 at second %i', (second, code) => {
    expect(totpCode(Buffer.from('12345678901234567890'), Math.floor(second / 30))).toBe(code);
  });

  test('an authenticator app makes the same codes from the address in the QR code', () => {
    for (let round = 0; round < 50; round += 1) {
      const secret = newTotpSecret();
      const app = URI.parse(totpAddress(secret, 'North & Söhne', 'ana+1@northlab.org'));
      expect(app).toBeInstanceOf(TOTP);
      expect(app).toMatchObject({ issuer: 'North & Söhne', label: 'ana+1@northlab.org' });
      expect(Secret.fromBase32(toBase32(secret)).hex.toLowerCase()).toBe(secret.toString('hex'));
      const timestamp = 1_700_000_000_000 + round * 77_777;
      expect((app as TOTP).generate({ timestamp })).toBe(totpCode(secret, Math.floor(timestamp / 30_000)));
    }
  });

  test('a code is valid for its time step and one before or after', () => {
    const secret = newTotpSecret();
    const now = 1_700_000_010_000;
    const current = Math.floor(now / 30_000);
    for (const step of [current - 1, current, current + 1])
      expect(totpStep(secret, totpCode(secret, step), now)).toBe(step);
    for (const step of [current - 2, current + 2]) {
      const code = totpCode(secret, step);
      const near = [current - 1, current, current + 1].map((each) => totpCode(secret, each));
      expect(totpStep(secret, code, now) !== undefined).toBe(near.includes(code));
    }
    const code = totpCode(secret, current);
    expect(totpStep(secret, `${code.slice(0, 3)} ${code.slice(3)}`, now)).toBe(current);
    for (const wrong of ['', '12345', 'abcdef', `${code}0`]) expect(totpStep(secret, wrong, now)).toBeUndefined();
  });
});
