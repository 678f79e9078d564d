import { ApiError, type OidcAlgorithm, type OidcKey } from '@opensocial/contract';
import type { Transaction } from '../../../database/connect.ts';
import type { Parts } from '../../../parts.ts';
import {
  deleteKey,
  deleteRetiredKeys,
  findDueKeys,
  findKeys,
  insertKey,
  lockKeys,
  type OidcKeyRecord,
  setKeyState,
  touchNetwork,
} from './keys.queries.ts';
import { loadKeys, makeKey } from './keys.ts';

const hour = 3_600_000;

/** Clients may keep the published keys for ten minutes; many read them only once a day. */
const hoursUntilUse = 24;

/** ID tokens last an hour. Applications send them as hints for days, so that a former key stays published. */
const daysAfterUse = 30;

const changeOf = ({ state, created_at, retired_at }: OidcKeyRecord): Date | null => {
  if (state === 'next') return new Date(created_at.getTime() + hoursUntilUse * hour);
  return retired_at && new Date(retired_at.getTime() + daysAfterUse * 24 * hour);
};

/** The published keys of a network, as its owners see them. */
export const listKeys = async (parts: Pick<Parts, 'db' | 'vault'>, networkId: number): Promise<OidcKey[]> => {
  await loadKeys(parts, networkId);
  return (await findKeys(parts.db, networkId)).map((key) => ({
    id: key.id,
    algorithm: key.algorithm,
    state: key.state,
    kid: key.kid,
    created_at: key.created_at.toISOString(),
    changes_at: changeOf(key)?.toISOString() ?? null,
  }));
};

type Replacement = { networkId: number; algorithm: OidcAlgorithm; isCompromised: boolean };

/**
 * Publishes the key that replaces the current one. `promoteDueKeys` switches to it a day later, when clients have read it. A compromised
 * key, and a next one that may be known as well, are removed at once. Returns the new key's id.
 */
export const replaceKey = async (
  tx: Transaction,
  parts: Pick<Parts, 'vault'>,
  { networkId, algorithm, isCompromised }: Replacement,
): Promise<string> => {
  const keys = await lockKeys(tx, networkId, algorithm);
  const next = keys.find(({ state }) => state === 'next');
  if (next && !isCompromised) throw new ApiError('signing_key_exists');
  if (isCompromised) for (const { id } of keys) await deleteKey(tx, id);
  const made = await makeKey(parts, algorithm);
  await insertKey(tx, { ...made, network_id: networkId, state: isCompromised ? 'current' : 'next' });
  await touchNetwork(tx, networkId);
  return made.kid;
};

/** Switches to the keys that every client has read by now, and removes former ones. */
export const promoteDueKeys = async ({ db }: Pick<Parts, 'db'>): Promise<void> => {
  for (const due of await findDueKeys(db, hoursUntilUse)) await db.transaction((tx) => promote(tx, due));
  await db.transaction(async (tx) => {
    const removed = await deleteRetiredKeys(tx, daysAfterUse);
    for (const id of new Set(removed.map(({ networkId }) => networkId))) await touchNetwork(tx, id);
  });
};

const promote = async (tx: Transaction, due: Pick<OidcKeyRecord, 'id' | 'network_id' | 'algorithm'>): Promise<void> => {
  const keys = await lockKeys(tx, due.network_id, due.algorithm);
  // Another server may have switched in the meantime.
  if (!keys.some(({ id, state }) => id === due.id && state === 'next')) return;
  for (const key of keys) if (key.state === 'current') await setKeyState(tx, key.id, 'retired');
  await setKeyState(tx, due.id, 'current');
  await touchNetwork(tx, due.network_id);
};
