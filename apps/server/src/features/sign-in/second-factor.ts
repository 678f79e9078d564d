import type { Factor } from '@opensocial/signin';
import { z } from 'zod';
import type { Config } from '../../config.ts';
import type { Vault } from '../../secrets/encryption.ts';
import { ownerMfaDue } from '../mfa/mfa.owners.service.ts';
import { freshFor } from '../session/session.service.ts';
import type { Destination } from './destinations.queries.ts';
import type { Standing } from './identity.queries.ts';
import { mainLogin } from './main-network.ts';
import { ownLogin, passkeyLogin } from './sign-in.service.ts';

type Attempt = { user: Standing; destination: Destination; ownerMfa: Config['ownerMfa'] };

/** Whether an owner has to have a second factor by now. Standing knows of ownerships only at the console. */
const isOwnerDue = (ownerMfa: Config['ownerMfa'], user: Standing): boolean => {
  const due = ownerMfaDue(ownerMfa, user);
  return due !== undefined && due.getTime() <= Date.now();
};

/**
 * The kinds of factor that the rules of a site and its network permit; null where they ask for none. The rules of a network
 * apply to its members only: somebody else is refused there anyway, and must not be made to change their account.
 */
const permittedKinds = ({ user, destination, ownerMfa }: Attempt): readonly string[] | null => {
  const { site, settings } = destination;
  if (!user.isMember) return null;
  if (isOwnerDue(ownerMfa, user)) return ['google'];
  if (settings.mfa === 'Enable') return settings.mfa_options;
  if (user.homeMfaOptions) return user.homeMfaOptions;
  return site.mfa === 'Enable' ? ['google', 'email'] : null;
};

/**
 * The second factors that a person may prove here, the preferred one first; empty where none is asked for. A factor that the
 * person has set up is always asked for. A passkey is accepted wherever any factor is: it is stronger than all that a network
 * can permit. `setup` stands alone: only a person without any factor sets up an authenticator while they sign in, and only
 * where the rule does not permit mailed codes.
 */
export const factorsFor = (attempt: Attempt): readonly Factor[] => {
  const { user } = attempt;
  const permitted = permittedKinds(attempt);
  const held: Factor[] = [
    ...(user.hasPasskey ? (['passkey'] as const) : []),
    ...(user.hasTotp ? (['totp'] as const) : []),
  ];
  const takesRecovery = held.length > 0 || (permitted !== null && user.hasRecoveryCodes);
  const factors: Factor[] = [
    ...held,
    ...(user.emailMfa || permitted?.includes('email') ? (['email'] as const) : []),
    ...(takesRecovery ? (['recovery'] as const) : []),
  ];
  return factors.length === 0 && permitted ? ['setup'] : factors;
};

/** Whether somebody was authenticated by us, with a password or a passkey, and not by another provider. */
export const isOwnLogin = (loginFrom: string | null): boolean =>
  loginFrom !== null && [ownLogin, passkeyLogin, mainLogin].includes(loginFrom);

type Authenticated = { login_from: string | null; authenticated_at: Date | null };

/**
 * Whether an authenticator may be set up in a sign-in that began at `begunAt`: it needs a fresh authentication by our own
 * login. A session that was left open, or that a social login has opened, is not enough.
 */
export const canEnrol = ({ login_from, authenticated_at }: Authenticated, begunAt: Date): boolean =>
  isOwnLogin(login_from) && authenticated_at !== null && begunAt.getTime() - authenticated_at.getTime() <= freshFor;

/** Whether the proven factor is one of those that are accepted here. A remembered browser ('device') has proven nothing. */
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
