import type { Factor } from '@opensocial/signin';
import type { Parts } from '../../../parts.ts';
import { listLinks, listProviders } from '../../social/social.service.ts';
import { type AccountCheckId, runAccountChecks, runSiteChecks, type SiteCheckId } from '../accounts/checks.ts';
import {
  acceptsOwnLogin,
  mainLogin,
  offersMainLogin,
  ownLogin,
  passkeyLogin,
  takesPassword,
} from '../accounts/login-types.ts';
import { findAccountAtSites, findSiteAccountById, type SiteAccount } from '../accounts/site-accounts.queries.ts';
import { type AccountLocks, findAccountLocks } from '../credentials/attempt-limits.ts';
import { type Destination, findSiteById } from '../destination/destinations.queries.ts';
import { acceptedFactors, canEnrol, type FactorRule, findFactorRule } from '../factors/accepted-factors.ts';
import { needsNewPassword } from './next-step.ts';

/** A login type that a site offers. */
type OfferedLogin = {
  /** The value of `login_from` in a sign-in. */
  loginFrom: string;
  label: string;
  /** Whether the person has what the login needs. A provider may confirm the address of a person who has not used it before. */
  isUsable: 'yes' | 'no' | 'perhaps';
  /** Whether the login needs the password, so that wrong passwords lock it. */
  needsPassword: boolean;
};

/** A stage of a sign-in that can refuse a person. */
export type StageId = 'login' | 'lock' | AccountCheckId | 'factor' | SiteCheckId;

/** The decision about a sign-in to a site in a browser that the person has not used before, with the facts that it depends on. */
export type SignInDecision = {
  user: SiteAccount;
  destination: Destination;
  logins: readonly OfferedLogin[];
  locks: AccountLocks;
  rule: FactorRule | undefined;
  factors: readonly Factor[];
  /** Whether the person has a password that the site accepts, directly or by way of the main network. */
  hasUsablePassword: boolean;
  needsNewPassword: boolean;
  /** Whether the person has a login and a second factor that suffice. Otherwise it depends on what a provider confirms. */
  isProofCertain: boolean;
  /** All stages in the order of a sign-in, which ends at the first refusal. */
  stages: readonly { id: StageId; isRefused: boolean }[];
};

/** The login types that a site offers, and whether an account can use them. */
const findLogins = async (parts: Parts, destination: Destination, user: SiteAccount): Promise<OfferedLogin[]> => {
  const hasPassword = user.passwordHash !== null;
  const links = await listLinks(parts, user.id);
  const yesOrNo = (isUsable: boolean) => (isUsable ? 'yes' : 'no');
  return [
    ...(takesPassword(destination)
      ? [
          { loginFrom: ownLogin, label: 'a password', isUsable: yesOrNo(hasPassword), needsPassword: true } as const,
          {
            loginFrom: passkeyLogin,
            label: 'a passkey',
            isUsable: yesOrNo(user.hasPasskey),
            needsPassword: false,
          } as const,
        ]
      : []),
    ...(offersMainLogin(destination)
      ? [
          {
            loginFrom: mainLogin,
            label: 'OpenSocial',
            isUsable: yesOrNo(hasPassword || user.hasPasskey),
            needsPassword: !user.hasPasskey,
          } as const,
        ]
      : []),
    ...listProviders(parts, destination).map(({ name, label }) => ({
      loginFrom: name,
      label,
      isUsable: links.some(({ provider }) => provider === name) ? ('yes' as const) : ('perhaps' as const),
      needsPassword: false,
    })),
  ];
};

/** Whether one of the factors can be proven after a login. An authenticator can be set up only after one of our own logins. */
const canProve = (factors: readonly Factor[], locks: AccountLocks, { loginFrom }: OfferedLogin): boolean => {
  if (factors.length === 0) return true;
  const now = new Date();
  return factors.some((factor) => {
    if (factor === 'passkey') return true;
    if (locks.codes !== null) return false;
    if (factor === 'setup' && !canEnrol({ login_from: loginFrom, authenticated_at: now }, now)) return false;
    return (factor !== 'email' && factor !== 'setup') || locks.mailedCodes === null;
  });
};

/**
 * Runs every stage of a sign-in for a person and a site, without a sign-in. It calls the functions that decide a real one. Undefined if
 * there is no such site or account.
 */
export const decideSignIn = async (
  parts: Parts,
  { siteId, userId }: { siteId: number; userId: number },
): Promise<SignInDecision | undefined> => {
  const destination = await findSiteById(parts.db, siteId);
  const user = destination && (await findSiteAccountById(parts.db, destination, userId));
  if (!destination || !user) return undefined;
  const logins = await findLogins(parts, destination, user);
  const locks = await findAccountLocks(parts.db, user);
  const factors = acceptedFactors(parts.config, destination, user);
  const usable = logins.filter(({ isUsable }) => isUsable !== 'no');
  const unlocked = usable.filter(({ needsPassword }) => !needsPassword || locks.passwords === null);
  const provable = unlocked.filter((login) => canProve(factors, locks, login));
  const hasUsablePassword = user.passwordHash !== null && acceptsOwnLogin(destination);
  const candidate = { user, destination };
  return {
    user,
    destination,
    logins,
    locks,
    rule: findFactorRule(parts.config, destination, user),
    factors,
    hasUsablePassword,
    needsNewPassword: hasUsablePassword && needsNewPassword({ signIn: { login_from: ownLogin } }, user),
    isProofCertain: provable.some(({ isUsable }) => isUsable === 'yes'),
    stages: [
      { id: 'login', isRefused: usable.length === 0 },
      { id: 'lock', isRefused: usable.length > 0 && unlocked.length === 0 },
      ...runAccountChecks(candidate),
      {
        id: 'factor',
        isRefused: unlocked.length > 0 && provable.length === 0,
      },
      ...runSiteChecks(candidate),
    ],
  };
};

/** The first check that refuses an account at each of several sites, by the id of the site. */
export const findSiteRefusals = async (
  { db }: Pick<Parts, 'db'>,
  userId: number,
  siteIds: readonly number[],
): Promise<Map<number, SiteCheckId>> => {
  if (siteIds.length === 0) return new Map();
  const candidates = await findAccountAtSites(db, userId, siteIds);
  return new Map(
    candidates.flatMap(({ site, user }) => {
      const refused = runSiteChecks({ user, destination: { site } }).find(({ isRefused }) => isRefused);
      return refused ? [[site.id, refused.id]] : [];
    }),
  );
};
