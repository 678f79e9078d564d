import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { isSame } from './tokens.ts';

/**
 * The uses of the secret keys. Each use has its own derived key, so that output of one is worthless for another. New
 * values are made with the first key; values of all keys are accepted.
 */
export type Vault = {
  /** The ids of the keys. They are derived from the keys, so that keys need no names in the configuration. */
  keyIds: readonly [current: string, ...former: string[]];
  /** For values in the database: signing keys, social login secrets, TOTP secrets. */
  encrypt: (plain: string | Buffer) => Buffer;
  decrypt: (sealed: Buffer) => Buffer;
  /** The id of the key that a value in the database is encrypted with; undefined if none of the keys decrypts it. */
  keyIdOf: (sealed: Buffer) => string | undefined;
  /** For values with a limited lifetime: payloads in the job queue, cookies, and the state of a social login. */
  seal: (value: object) => string;
  open: (sealed: string) => unknown;
  /** A MAC that is bound to a session or a sign-in. */
  sign: (purpose: string, value: string) => string;
  /** The MACs of all keys. The first is that of `sign`; the others were made before a change of the key. */
  signatures: (purpose: string, value: string) => readonly string[];
  /** Whether this is a MAC of one of the keys. */
  verify: (purpose: string, value: string, mac: string) => boolean;
  /** The key of the MACs. Persistent NameIDs were made with it before they had a key of their own. */
  macKeyOf: (keyId: string) => Buffer;
};

/** Format 1 is version, nonce, tag and ciphertext; format 2 has the id of the key after the version. */
export type SealedFormat = 1 | 2;

/**
 * The uses of a secret key. The names are also the HKDF labels of the derived keys, so they cannot be renamed.
 * `stored` encrypts values in columns of the database (`encrypt`), `carried` encrypts values with a limited lifetime
 * (`seal`), and `proof` computes MACs (`sign`).
 */
type Use = 'stored' | 'carried' | 'proof';
type SecretKey = { id: string } & Record<Use, KeyObject>;

const toSecretKey = (secret: string): SecretKey => {
  const derive = (use: string, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, 'opensocial-sso', use, length));
  const keyFor = (use: Use) => createSecretKey(derive(use, 32));
  return {
    id: derive('key-id', 8).toString('hex'),
    stored: keyFor('stored'),
    carried: keyFor('carried'),
    proof: keyFor('proof'),
  };
};

/** Opens the secret keys, the current one first. */
export const createVault = (secrets: readonly string[], format: SealedFormat = 2): Vault => {
  const [current, ...former] = secrets.map(toSecretKey);
  if (!current) throw new Error('There is no secret key.');
  const keys = [current, ...former];
  const cipherFor = (use: Use) => cipher({ current, keys, use, format });
  const stored = cipherFor('stored');
  const carried = cipherFor('carried');
  const mac = (key: SecretKey, purpose: string, value: string) =>
    createHmac('sha256', key.proof).update(`${purpose}\0${value}`).digest('base64url');
  const signatures = (purpose: string, value: string) => keys.map((key) => mac(key, purpose, value));
  return {
    keyIds: [current.id, ...former.map(({ id }) => id)],
    encrypt: (plain) => stored.encrypt(Buffer.from(plain)),
    decrypt: (sealed) => stored.decrypt(sealed).plain,
    keyIdOf: (sealed) => {
      try {
        return stored.decrypt(sealed).keyId;
      } catch {
        return undefined;
      }
    },
    seal: (value) => carried.encrypt(Buffer.from(JSON.stringify(value))).toString('base64url'),
    open: (sealed) => {
      try {
        return JSON.parse(carried.decrypt(Buffer.from(sealed, 'base64url')).plain.toString()) as unknown;
      } catch {
        return undefined;
      }
    },
    sign: (purpose, value) => mac(current, purpose, value),
    signatures,
    // Every MAC is compared, so that the time does not tell which key is the right one.
    verify: (purpose, value, given) => signatures(purpose, value).filter((each) => isSame(each, given)).length > 0,
    macKeyOf: (keyId) => {
      const key = keys.find(({ id }) => id === keyId);
      if (!key) throw new Error(`There is no secret key ${keyId}.`);
      return key.proof.export();
    },
  };
};

/** The first bytes of every value of format 2 that is encrypted with a key. */
export const headerOf = (keyId: string): Buffer => Buffer.from(`02${keyId}`, 'hex');

export const headerLength = headerOf('0'.repeat(16)).length;

const nonceLength = 12;
const tagLength = 16;

type CipherOptions = { current: SecretKey; keys: readonly SecretKey[]; use: Use; format: SealedFormat };

/** AES-256-GCM. The header of format 2 is authenticated too. */
const cipher = ({ current, keys, use, format }: CipherOptions) => ({
  encrypt: (plain: Buffer): Buffer => {
    const header = format === 1 ? Buffer.of(1) : headerOf(current.id);
    const nonce = randomBytes(nonceLength);
    const seal = createCipheriv('aes-256-gcm', current[use], nonce);
    if (format === 2) seal.setAAD(header);
    const text = Buffer.concat([seal.update(plain), seal.final()]);
    return Buffer.concat([header, nonce, seal.getAuthTag(), text]);
  },
  decrypt: (sealed: Buffer): { plain: Buffer; keyId: string } => {
    if (sealed[0] === 1) return decryptWithAny(keys, use, sealed);
    if (sealed[0] !== 2) throw new Error('Unknown version of encrypted data.');
    const header = sealed.subarray(0, headerLength);
    const key = keys.find(({ id }) => headerOf(id).equals(header));
    if (!key) throw new Error(`The secret key ${header.toString('hex').slice(2)} is not configured.`);
    return { plain: open(key[use], sealed.subarray(headerLength), header), keyId: key.id };
  },
});

/** Decrypts a value of format 1, which does not tell its key. */
const decryptWithAny = (keys: readonly SecretKey[], use: Use, sealed: Buffer): { plain: Buffer; keyId: string } => {
  const failures: unknown[] = [];
  for (const key of keys) {
    try {
      return { plain: open(key[use], sealed.subarray(1)), keyId: key.id };
    } catch (error) {
      failures.push(error);
    }
  }
  throw new AggregateError(failures, 'None of the secret keys decrypts this value.');
};

const open = (key: KeyObject, sealed: Buffer, header?: Buffer): Buffer => {
  // Without a fixed length, a tag cut to four bytes would be accepted, which can be guessed.
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceLength), { authTagLength: tagLength });
  if (header) decipher.setAAD(header);
  decipher.setAuthTag(sealed.subarray(nonceLength, nonceLength + tagLength));
  return Buffer.concat([decipher.update(sealed.subarray(nonceLength + tagLength)), decipher.final()]);
};
