import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

/** 160 random bits, as RFC 4226 recommends. */
export const newTotpSecret = (): Buffer => randomBytes(20);

/** The text form of a secret that people and authenticator apps use. */
export const toBase32 = (bytes: Buffer): string => toSecret(bytes).base32;

const toSecret = (bytes: Buffer): Secret => new Secret({ buffer: Uint8Array.from(bytes).buffer });

/** RFC 6238 with the parameters that every authenticator app supports: SHA-1, six digits, 30 seconds. */
const totpOf = (secret: Buffer, names: { issuer?: string; label?: string } = {}): TOTP =>
  new TOTP({ ...names, secret: toSecret(secret), algorithm: 'SHA1', digits: 6, period: 30 });

/** The address in the QR code for an authenticator app. */
export const totpAddress = (secret: Buffer, issuer: string, account: string): string =>
  totpOf(secret, { issuer, label: account }).toString();

export const totpCode = (secret: Buffer, step: number): string => {
  const totp = totpOf(secret);
  return totp.generate({ timestamp: step * totp.period * 1_000 });
};

/**
 * Returns the time step that a code belongs to: the current one, or one before or after, for clocks that differ a
 * little. The library compares in constant time.
 */
export const totpStep = (secret: Buffer, code: string, now = Date.now()): number | undefined => {
  const token = code.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return undefined;
  const totp = totpOf(secret);
  const delta = totp.validate({ token, timestamp: now, window: 1 });
  return delta === null ? undefined : totp.counter({ timestamp: now }) + delta;
};
