import { createCipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** Encryption as the versions before key ids have written it, with nothing of today's code. */
const derivedKey = (secretKey: string, use: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, 'opensocial-sso', use, 32));

export const sealFormat1 = (secretKey: string, use: 'stored' | 'carried', plain: string | Buffer): Buffer => {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', derivedKey(secretKey, use), nonce);
  const text = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([Buffer.of(1), nonce, cipher.getAuthTag(), text]);
};

/** MACs and persistent NameIDs of that time. */
export const signFormat1 = (secretKey: string, purpose: string, value: string): string =>
  createHmac('sha256', derivedKey(secretKey, 'proof')).update(`${purpose}\0${value}`).digest('base64url');
