import type { SigningAlgorithm, SigningKey } from '@opensocial/contract';
import { clockTime, countOf, formatDate } from '../../../patterns/format/format.ts';
import { daysUntil } from '../../../patterns/time/days-left.ts';

export const algorithmNames: Record<SigningAlgorithm, string> = {
  'rsa-2048': 'RSA, 2,048 bits',
  'rsa-3072': 'RSA, 3,072 bits',
  'rsa-4096': 'RSA, 4,096 bits',
  'ec-p256': 'ECDSA, P-256',
};

export const stateNames: Record<SigningKey['state'], string> = {
  current: 'Current key',
  next: 'Next key',
  retired: 'Retired key',
};

/** The beginning of the fingerprint, which is enough to tell the keys of a network apart. */
export const shortFingerprint = ({ fingerprint }: { fingerprint: string }): string => fingerprint.slice(0, 11);

export const countSites = (count: number): string => countOf(count, 'site', 'sites');

/** What the owner should do next about a key. */
export const nextStep = (key: SigningKey, hasNext: boolean): string => {
  if (key.state === 'next') {
    return key.tried_until
      ? `The sign-ins of ${key.tried_by} are signed with this key until ${clockTime(key.tried_until)}. Everybody else is not affected.`
      : 'The metadata lists this key. Applications that read the metadata by its address know it within six hours; send the certificate to the administrators of the others. Then try it with your own sign-ins and switch the sites.';
  }
  if (key.state === 'retired') {
    return key.sites > 0
      ? `${countSites(key.sites)} still ${key.sites === 1 ? 'uses' : 'use'} this key. Switch them below, and then remove it.`
      : 'No site uses this key. Remove it when people have signed in to all sites with the current key.';
  }
  if (hasNext) return 'When the sites know the next key, switch them one by one below, or all at once.';
  return daysUntil(key.not_after) <= 60
    ? 'Create the next key now, so that the administrators of the applications have time to accept it.'
    : `Nothing to do. Create the next key about two months before ${formatDate(key.not_after)}.`;
};
