import { createHash, createPublicKey, generateKeyPair, type JsonWebKey, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { OidcAlgorithm } from '@opensocial/contract';
import type { Parts } from '../../../parts.ts';
import { openSigningKey } from '../../../secrets/signing-keys.ts';
import { findKeys, insertCurrentKey, type OidcKeyRecord } from './keys.queries.ts';

type KeyParts = Pick<Parts, 'db' | 'vault'>;

/** A key that signs tokens. */
export type OidcKey = { kid: string; algorithm: OidcAlgorithm; state: OidcKeyRecord['state']; privateKey: KeyObject };

const generate = promisify(generateKeyPair);

const generateKey = async (algorithm: OidcAlgorithm): Promise<KeyObject> =>
  algorithm === 'RS256'
    ? (await generate('rsa', { modulusLength: 2048 })).privateKey
    : (await generate('ec', { namedCurve: 'P-256' })).privateKey;

/** The JWK thumbprint of RFC 7638, which other software computes alike. */
const thumbprintOf = (privateKey: KeyObject): string => {
  const { kty, n, e, crv, x, y } = createPublicKey(privateKey).export({ format: 'jwk' });
  const members = kty === 'RSA' ? { e, kty, n } : { crv, kty, x, y };
  return createHash('sha256').update(JSON.stringify(members)).digest('base64url');
};

/** A new key as it is stored. */
export const makeKey = async ({ vault }: Pick<Parts, 'vault'>, algorithm: OidcAlgorithm) => {
  const privateKey = await generateKey(algorithm);
  const der = privateKey.export({ format: 'der', type: 'pkcs8' });
  return { algorithm, kid: thumbprintOf(privateKey), private_key: vault.encrypt(der) };
};

const algorithms: readonly OidcAlgorithm[] = ['RS256', 'ES256'];

/** The keys of a network that are published. Missing ones are made, so that networks without OpenID Connect need none. */
export const loadKeys = async (parts: KeyParts, networkId: number): Promise<OidcKey[]> => {
  const found = await findKeys(parts.db, networkId);
  const missing = algorithms.filter(
    (algorithm) => !found.some((key) => key.algorithm === algorithm && key.state === 'current'),
  );
  for (const algorithm of missing) await insertCurrentKey(parts.db, networkId, await makeKey(parts, algorithm));
  const records = missing.length > 0 ? await findKeys(parts.db, networkId) : found;
  return records.map((record) => openKey(parts, record));
};

const openKey = ({ vault }: KeyParts, { kid, algorithm, state, private_key }: OidcKeyRecord): OidcKey => ({
  kid,
  algorithm,
  state,
  privateKey: openSigningKey(vault.decrypt(private_key)),
});

/** The key that signs tokens with an algorithm. */
export const oidcKeyFor = async (parts: KeyParts, networkId: number, algorithm: OidcAlgorithm): Promise<OidcKey> => {
  const keys = await loadKeys(parts, networkId);
  const key = keys.find((each) => each.algorithm === algorithm && each.state === 'current');
  if (!key) throw new Error(`The network ${networkId} has no current key for ${algorithm}.`);
  return key;
};

/** The keys in the order in which the library chooses one for signing: the current ones first. */
export const toJwks = (keys: readonly OidcKey[]): { keys: JsonWebKey[] } => ({
  keys: keys
    .toSorted((one, other) => Number(other.state === 'current') - Number(one.state === 'current'))
    .map(({ kid, algorithm, privateKey }) => ({
      ...privateKey.export({ format: 'jwk' }),
      kid,
      alg: algorithm,
      use: 'sig',
    })),
});
