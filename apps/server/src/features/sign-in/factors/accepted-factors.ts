import type { Factor } from '@opensocial/signin';
import type { Config } from '../../../config.ts';
import { ownerMfaDue } from '../../mfa/mfa.owners.service.ts';
import { freshFor } from '../../session/session.service.ts';
import { isOwnLogin } from '../accounts/login-types.ts';
import type { SiteAccount } from '../accounts/site-accounts.queries.ts';
import type { Destination } from '../destination/destinations.queries.ts';

/** Whether the account is an owner whose grace period without a second factor is over. Ownership is known only at the console. */
const isOwnerMfaDue = (ownerMfa: Config['ownerMfa'], user: SiteAccount): boolean => {
  const due = ownerMfaDue(ownerMfa, user);
  return due !== undefined && due.getTime() <= Date.now();
};

/** A rule that requires a second factor, and the kinds of factor that it permits. */
export type FactorRule = { setBy: 'installation' | 'network' | 'home network' | 'site'; kinds: readonly string[] };

/**
 * The rule of a site or its network that requires a second factor. The rules of a network apply to its members only: other people are
 * refused there anyway, and must not be made to change their account.
 */
export const findFactorRule = (
  { ownerMfa }: Pick<Config, 'ownerMfa'>,
  { site, settings }: Destination,
  user: SiteAccount,
): FactorRule | undefined => {
  if (!user.isMember) return undefined;
  if (isOwnerMfaDue(ownerMfa, user)) return { setBy: 'installation', kinds: ['google'] };
  if (settings.mfa === 'Enable') return { setBy: 'network', kinds: settings.mfa_options };
  if (user.homeMfaOptions) return { setBy: 'home network', kinds: user.homeMfaOptions };
  return site.mfa === 'Enable' ? { setBy: 'site', kinds: ['google', 'email'] } : undefined;
};

/**
 * The second factors that are accepted of an account at a destination, the preferred one first; empty if none is required. A factor that
 * the person has set up is always required. A passkey is accepted whenever a factor is required, because it is stronger than all that a
 * network can permit. `setup` is never in a list with others: only a person without any factor sets up an authenticator during a sign-in,
 * and only if the rule does not permit mailed codes. `required` are the factors of which the site's request asks for one. If the person
 * has none of them, the list is empty, and the request is refused at the end of the sign-in.
 */
export const acceptedFactors = (
  config: Pick<Config, 'ownerMfa'>,
  destination: Destination,
  user: SiteAccount,
  required?: readonly Factor[],
): readonly Factor[] => {
  const permitted = findFactorRule(config, destination, user)?.kinds;
  const ownFactors: Factor[] = [
    ...(user.hasPasskey ? (['passkey'] as const) : []),
    ...(user.hasTotp ? (['totp'] as const) : []),
  ];
  const takesRecovery = ownFactors.length > 0 || (permitted !== undefined && user.hasRecoveryCodes);
  const factors: Factor[] = [
    ...ownFactors,
    ...(user.emailMfa || permitted?.includes('email') ? (['email'] as const) : []),
    ...(takesRecovery ? (['recovery'] as const) : []),
  ];
  const accepted: readonly Factor[] = factors.length === 0 && permitted ? ['setup'] : factors;
  return required ? accepted.filter((factor) => required.includes(factor === 'setup' ? 'totp' : factor)) : accepted;
};

/** Whether a person has any second factor. It is always required then, and another one cannot be set up during a sign-in. */
export const hasFactor = ({ hasPasskey, hasTotp, emailMfa, hasRecoveryCodes }: SiteAccount): boolean =>
  hasPasskey || hasTotp || emailMfa || hasRecoveryCodes;

type Authenticated = { login_from: string | null; authenticated_at: Date | null };

/**
 * Whether an authenticator may be set up in a sign-in that began at `begunAt`. This needs a recent authentication by our own login. A
 * session that was left open, or that a social login has opened, is not enough.
 */
export const canEnrol = ({ login_from, authenticated_at }: Authenticated, begunAt: Date): boolean =>
  isOwnLogin(login_from) && authenticated_at !== null && begunAt.getTime() - authenticated_at.getTime() <= freshFor;

/** Whether the proven factor is one of the accepted ones. A trusted browser ('device') has not proven a factor. */
export const isFactorAccepted = (factors: readonly Factor[], proven: string | null): boolean =>
  factors.length === 0 || factors.some((factor) => (factor === 'setup' ? 'totp' : factor) === proven);
