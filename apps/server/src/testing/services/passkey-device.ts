import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { NewPasskey, PasskeyOptions } from '@opensocial/contract';
import { testOrigin } from '../app/test-parts.ts';

/** The parts of a WebAuthn request that a device reads. */
type Request = { rpId: string; challenge: string };

/** How a device can deviate from correct behaviour. */
export type Deviation = {
  type?: string;
  challenge?: string;
  origin?: string;
  crossOrigin?: boolean;
  topOrigin?: string;
  rpId?: string;
  isPresent?: boolean;
  isVerified?: boolean;
  counter?: number;
  handle?: string | undefined;
  credentialId?: Buffer;
  /** Bytes that are signed instead. */
  signed?: Buffer;
};

const flags = { present: 0x01, verified: 0x04, backupEligible: 0x08, backedUp: 0x10, attested: 0x40 };

const keys = {
  ES256: () => ecKey('prime256v1', -7, 1),
  ES384: () => ecKey('secp384r1', -35, 2),
  EdDSA: () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const { x } = publicKey.export({ format: 'jwk' });
    return { privateKey, hash: null, cose: { 1: 1, 3: -8, [-1]: 6, [-2]: bytes(x) } };
  },
  RS256: () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const { n, e } = publicKey.export({ format: 'jwk' });
    return { privateKey, hash: 'sha256', cose: { 1: 3, 3: -257, [-1]: bytes(n), [-2]: bytes(e) } };
  },
};

const ecKey = (namedCurve: string, algorithm: number, curve: number) => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve });
  const { x, y } = publicKey.export({ format: 'jwk' });
  return {
    privateKey,
    hash: algorithm === -7 ? 'sha256' : 'sha384',
    cose: { 1: 2, 3: algorithm, [-1]: curve, [-2]: bytes(x), [-3]: bytes(y) },
  };
};

const bytes = (text: string | undefined): Buffer => Buffer.from(text ?? '', 'base64url');

/**
 * A device with one passkey, implemented with node:crypto only, so that it shares no code with the server's library.
 */
export class PasskeyDevice {
  credentialId = randomBytes(32);
  counter = 0;
  handle: string | undefined;
  isBackedUp = true;
  readonly #key: { privateKey: KeyObject; hash: string | null; cose: Record<number, number | Buffer> };

  constructor(algorithm: keyof typeof keys = 'ES256') {
    this.#key = keys[algorithm]();
  }

  /** The browser's response to a request to create a passkey. */
  make({ rp, user, challenge }: PasskeyOptions, deviation: Deviation = {}): NewPasskey {
    this.handle = user.id;
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.credentialId.length);
    const attested = Buffer.concat([Buffer.alloc(16), length, this.credentialId, toCbor(this.#key.cose)]);
    const authData = Buffer.concat([this.#data(rp.id, deviation, flags.attested), attested]);
    const id = this.credentialId.toString('base64url');
    return {
      id,
      rawId: id,
      type: 'public-key',
      response: {
        clientDataJSON: clientData({ type: 'webauthn.create', challenge, ...deviation }).toString('base64url'),
        attestationObject: toCbor({ fmt: 'none', attStmt: {}, authData }).toString('base64url'),
        transports: ['internal', 'hybrid', 'carrier-pigeon'],
      },
    };
  }

  /** The response that the script of a page puts into its form. */
  answer({ rpId, challenge }: Request, deviation: Deviation = {}): string {
    this.counter = deviation.counter ?? this.counter;
    const authenticatorData = this.#data(rpId, deviation);
    const client = clientData({ type: 'webauthn.get', challenge, ...deviation });
    const digest = createHash('sha256').update(client).digest();
    const signed = deviation.signed ?? Buffer.concat([authenticatorData, digest]);
    const id = (deviation.credentialId ?? this.credentialId).toString('base64url');
    return JSON.stringify({
      id,
      rawId: id,
      type: 'public-key',
      response: {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: sign(this.#key.hash, signed, this.#key.privateKey).toString('base64url'),
        userHandle: 'handle' in deviation ? deviation.handle : this.handle,
      },
      clientExtensionResults: {},
    });
  }

  #data(rpId: string, { isPresent = true, isVerified = true, ...deviation }: Deviation, further = 0): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    const set =
      further |
      (isPresent ? flags.present : 0) |
      (isVerified ? flags.verified : 0) |
      (this.isBackedUp ? flags.backupEligible | flags.backedUp : 0);
    const party = createHash('sha256')
      .update(deviation.rpId ?? rpId)
      .digest();
    return Buffer.concat([party, Buffer.from([set]), counter]);
  }
}

const clientData = ({ type, challenge, origin = testOrigin, crossOrigin = false, topOrigin }: Deviation): Buffer =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin, topOrigin }));

type Cbor = number | string | Buffer | { [key: string]: Cbor };

/** The part of CBOR that an attestation needs. */
const toCbor = (value: Cbor): Buffer => {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const entries = Object.entries(value);
  const pairs = entries.flatMap(([key, held]) => [toCbor(/^-?\d+$/.test(key) ? Number(key) : key), toCbor(held)]);
  return Buffer.concat([head(5, entries.length), ...pairs]);
};

const head = (major: number, size: number): Buffer => {
  if (size < 24) return Buffer.from([(major << 5) | size]);
  if (size < 256) return Buffer.from([(major << 5) | 24, size]);
  return Buffer.from([(major << 5) | 25, size >> 8, size & 0xff]);
};
