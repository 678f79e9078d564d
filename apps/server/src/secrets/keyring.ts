import type { SigningKey } from '@opensocial/saml';
import type { Vault } from './encryption.ts';
import { openSigningKey } from './signing-keys.ts';

/** A stored key: its id, its encrypted private half and its certificate. */
type StoredKey = { id: number; private_key: Buffer; certificate: string };

export type Keyring = (stored: StoredKey) => SigningKey;

/**
 * Opens signing keys and keeps them open. A key's row never changes, so an open one is never stale; which key is the
 * current one is read with the network each time.
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
