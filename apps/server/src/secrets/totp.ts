import { createHmac, randomBytes } from 'node:crypto';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const seconds = 30;
const digits = 6;

/** 160 random bits, as RFC 4226 asks. */
export const newTotpSecret = (): Buffer => randomBytes(20);

/** As people and authenticator apps write a secret. */
export const toBase32 = (bytes: Buffer): string => {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
};

/** What an authenticator app reads from the picture. Each part is percent-encoded: some apps take no plus for a space. */
export const totpAddress = (secret: Buffer, issuer: string, account: string): string => {
  const label = [issuer, account].map(encodeURIComponent).join(':');
  return `otpauth://totp/${label}?secret=${toBase32(secret)}&issuer=${encodeURIComponent(issuer)}`;
};

/** RFC 6238 with what every authenticator app knows: SHA-1, six digits, 30 seconds. */
export const totpCode = (secret: Buffer, step: number): string => {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0x0f;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** digits).padStart(digits, '0');
};

/** The step whose code this is: now, or one to either side for a clock that is a little off. */
export const totpStep = (secret: Buffer, code: string, now = Date.now()): number | undefined => {
  const current = Math.floor(now / 1_000 / seconds);
  const given = code.replaceAll(/\s/g, '');
  return [current, current - 1, current + 1].find((step) => totpCode(secret, step) === given);
};
