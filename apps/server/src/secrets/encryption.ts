import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { join } from 'node:path';
import { ConfigError } from '../config.ts';
import { openDataFolder, readOrCreateSecret } from '../data-folder.ts';

/** The uses of SECRET_KEY. Each use has its own derived key, so that output of one is worthless for another. */
export type Vault = {
  /** For values in the database: signing keys, social login secrets, TOTP secrets. */
  encrypt: (plain: string | Buffer) => Buffer;
  decrypt: (sealed: Buffer) => Buffer;
  /** For values that a browser stores but must not read or change. */
  seal: (value: object) => string;
  open: (sealed: string) => unknown;
  /** A MAC that is bound to a session or a sign-in. */
  sign: (purpose: string, value: string) => string;
};

const version = 1;

export const createVault = (secretKey: string): Vault => {
  const keyFor = (use: string) =>
    createSecretKey(Buffer.from(hkdfSync('sha256', secretKey, 'opensocial-sso', use, 32)));
  const stored = cipher(keyFor('stored'));
  const carried = cipher(keyFor('carried'));
  const proof = keyFor('proof');
  return {
    encrypt: (plain) => stored.encrypt(Buffer.from(plain)),
    decrypt: stored.decrypt,
    seal: (value) => carried.encrypt(Buffer.from(JSON.stringify(value))).toString('base64url'),
    open: (sealed) => {
      try {
        return JSON.parse(carried.decrypt(Buffer.from(sealed, 'base64url')).toString()) as unknown;
      } catch {
        return undefined;
      }
    },
    sign: (purpose, value) => createHmac('sha256', proof).update(`${purpose}\0${value}`).digest('base64url'),
  };
};

/** AES-256-GCM, stored as version, nonce, tag and ciphertext. The version allows the key to be changed later. */
const cipher = (key: KeyObject) => ({
  encrypt: (plain: Buffer): Buffer => {
    const nonce = randomBytes(12);
    const seal = createCipheriv('aes-256-gcm', key, nonce);
    const text = Buffer.concat([seal.update(plain), seal.final()]);
    return Buffer.concat([Buffer.of(version), nonce, seal.getAuthTag(), text]);
  },
  decrypt: (sealed: Buffer): Buffer => {
    if (sealed[0] !== version) throw new Error('Unknown version of encrypted data.');
    // Without a fixed length, a tag cut to four bytes would be accepted, which can be guessed.
    const open = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 13), { authTagLength: 16 });
    open.setAuthTag(sealed.subarray(13, 29));
    return Buffer.concat([open.update(sealed.subarray(29)), open.final()]);
  },
});

/** SECRET_KEY, or the key that was generated at the first start and stored in the data folder. */
export const readSecretKey = async (secretKey: string | undefined, dataDir: string): Promise<string> => {
  if (secretKey) return secretKey;
  await openDataFolder(dataDir);
  const file = join(dataDir, 'secret-key');
  const kept = await readOrCreateSecret(file, () => randomBytes(32).toString('base64url'));
  if (kept.length < 32) throw new ConfigError(`The secret key in ${file} is damaged. Restore it from a backup.`);
  return kept;
};
