import { ApiError } from '@opensocial/contract';
import type { Database, Transaction } from '../../database/connect.ts';
import { describeCertificate } from '../../secrets/signing-keys.ts';
import {
  deleteKey,
  keepSites,
  releaseSites,
  type SigningKeyRecord,
  updateKey,
  upsertKeyUse,
} from './signing-keys.queries.ts';

export { insertKey, isKeyOfSite } from './signing-keys.queries.ts';

const hour = 3_600_000;

/** How long a person tries the next key. */
export const trialDuration = hour;

/** The key that signs a person's response: the next key while the person tries it, otherwise the key of the site. */
export const keyFor = <Key extends SigningKeyRecord>(
  { key, nextKey }: { key: Key; nextKey: Key | null },
  user: { id: number },
): Key => {
  const isTrial = nextKey?.tried_by === user.id && nextKey.tried_until !== null && nextKey.tried_until > new Date();
  return isTrial ? nextKey : key;
};

/** The certificates of a stored text, one per line. A line that is not a certificate is left out. */
export const describeCertificates = (text: string | null): { fingerprint: string; notAfter: Date }[] =>
  (text?.split('\n') ?? []).flatMap((certificate) => {
    try {
      return [describeCertificate(certificate)];
    } catch {
      return [];
    }
  });

const maximumRecorded = 20_000;
const recordedUses = new WeakMap<Database, Map<string, number>>();

/**
 * Records that a sign-in at a site was signed with a key. Each process writes it at most once an hour for a key and a site, so that
 * sign-ins do not wait for each other at the row of a busy site.
 */
export const recordKeyUse = async (db: Database, key: { id: number }, site: { id: number }): Promise<void> => {
  const recorded = recordedUses.get(db) ?? new Map<string, number>();
  recordedUses.set(db, recorded);
  const name = `${key.id} ${site.id}`;
  const now = Date.now();
  if (now - (recorded.get(name) ?? 0) < hour) return;
  if (recorded.size >= maximumRecorded) recorded.clear();
  recorded.set(name, now);
  await upsertKeyUse(db, key.id, site.id);
};

/**
 * Makes a key the current one. If it is a retired key, this takes back a switch: the former current key becomes the next one again,
 * unless there is a next one. All keys of the network are locked.
 */
const promote = async (tx: Transaction, keys: readonly SigningKeyRecord[], key: SigningKeyRecord) => {
  const former = keys.find(({ state }) => state === 'current');
  if (!former || former.id === key.id) throw new ApiError('signing_key_state');
  const isReturn = key.state === 'retired' && !keys.some(({ state }) => state === 'next');
  await updateKey(tx, former.id, { state: 'retired', retired_at: new Date() });
  await updateKey(tx, key.id, { state: 'current', retired_at: null, tried_by: null, tried_until: null });
  if (isReturn) await updateKey(tx, former.id, { state: 'next', retired_at: null });
  return former;
};

/** Makes a key the current one for all sites. */
export const switchAll = async (tx: Transaction, keys: readonly SigningKeyRecord[], key: SigningKeyRecord) => {
  const former = await promote(tx, keys, key);
  await releaseSites(tx, key.network_id);
  return former;
};

/** Replaces the current key with the next one. Sites that were not switched yet keep the retired key. */
export const retire = async (tx: Transaction, keys: readonly SigningKeyRecord[], key: SigningKeyRecord) => {
  const next = keys.find(({ state }) => state === 'next');
  if (key.state !== 'current' || !next) throw new ApiError('signing_key_state');
  await keepSites(tx, key.network_id, key.id);
  await promote(tx, keys, next);
  await releaseSites(tx, key.network_id, next.id);
  return next;
};

/** Deletes a key, which removes it from the metadata. The foreign key of sites refuses a key that is in use. */
export const remove = async (tx: Transaction, key: SigningKeyRecord): Promise<void> => {
  if (key.state === 'current') throw new ApiError('signing_key_state');
  await deleteKey(tx, key.id);
};
