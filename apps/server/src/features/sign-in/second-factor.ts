import type { Factor } from '@opensocial/signin';
import { z } from 'zod';
import type { Vault } from '../../secrets/encryption.ts';
import type { Destination } from './destinations.queries.ts';
import type { Standing } from './identity.queries.ts';

type Attempt = { user: Standing; destination: Destination };

/** What the rules of a site and its network ask for; null where they ask for nothing. */
const asked = ({ user, destination: { site, settings } }: Attempt): readonly string[] | null => {
  if (settings.mfa === 'Enable') return settings.mfa_options;
  if (user.homeMfaOptions) return user.homeMfaOptions;
  return site.mfa === 'Enable' ? ['google', 'email'] : null;
};

/**
 * The second factors that somebody may prove, the first of them first; none where none is asked for. A second factor that
 * one has set up is always asked for. A passkey is good wherever any is: it is stronger than what a network may permit.
 */
export const factorsFor = (attempt: Attempt): readonly Factor[] => {
  const { user } = attempt;
  const permitted = asked(attempt);
  const byMail: Factor[] = user.emailMfa || permitted?.includes('email') ? ['email'] : [];
  const own: Factor[] = [
    ...(user.hasPasskey ? (['passkey'] as const) : []),
    ...(user.hasTotp ? (['totp'] as const) : []),
  ];
  if (own.length > 0) return [...own, ...byMail, 'recovery'];
  if (!permitted) return byMail;
  return [...byMail, ...(permitted.includes('google') || byMail.length === 0 ? (['setup'] as const) : [])];
};

/** Whether what was proven is among what may be proven here. A browser that was spared it has proven nothing. */
export const isEnough = (factors: readonly Factor[], proven: string | null): boolean =>
  factors.length === 0 || factors.some((factor) => (factor === 'setup' ? 'totp' : factor) === proven);

const Trust = z.object({ uid: z.string(), network: z.number(), credentialsAt: z.string(), until: z.number() });

type Trusted = { uid: string; credentialsAt: Date };

/** What a browser keeps that is spared the second factor for a while: worth nothing once password or factor change. */
export const newTrust = (vault: Vault, user: Trusted, network: number, days: number): string =>
  vault.seal({
    uid: user.uid,
    network,
    credentialsAt: user.credentialsAt.toISOString(),
    until: Date.now() + days * 86_400_000,
  });

/** By the days that the network gives now, not those that it gave then. */
export const isTrusted = (
  vault: Vault,
  sealed: string | undefined,
  user: Trusted,
  { network, settings }: Destination,
): boolean => {
  const { data } = Trust.safeParse(vault.open(sealed ?? ''));
  const longest = Date.now() + settings.mfa_remember_days * 86_400_000;
  return (
    data !== undefined &&
    data.uid === user.uid &&
    data.network === network.id &&
    data.credentialsAt === user.credentialsAt.toISOString() &&
    data.until > Date.now() &&
    data.until <= longest
  );
};
