import type { SigningKey } from '@opensocial/saml';
import type { Vault } from './encryption.ts';
import { openSigningKey } from './signing-keys.ts';

/** A stored key: its id, its encrypted private key and its certificate. */
type StoredKey = { id: number; private_key: Buffer; certificate: string };

export type Keyring = (stored: StoredKey) => SigningKey;

/**
 * Decrypts signing keys and caches them. The key in a row never changes, even if it is encrypted again, so an entry is
 * never stale; which key is current is read with the network each time.
 */
export const createKeyring = (vault: Vault): Keyring => {
  const open = new Map<number, SigningKey>();
  return (stored) => {
    const known = open.get(stored.id);
    if (known) return known;
    const key = { privateKey: openSigningKey(vault.decrypt(stored.private_key)), certificate: stored.certificate };
    open.set(stored.id, key);
    return key;
  };
};
