import { type Attribute, defaultClaims, isReservedClaim } from '@opensocial/contract';
import type { Parts } from '../../../parts.ts';
import { valuesOfAttribute } from '../accounts/attribute-values.ts';
import type { SiteAccount } from '../accounts/site-accounts.queries.ts';
import type { Destination } from '../destination/destinations.queries.ts';

/** The claims of each scope. Claims with other names come with every sign-on. */
export const claimsByScope: Readonly<Record<string, readonly string[]>> = {
  profile: [
    'name',
    'given_name',
    'family_name',
    'middle_name',
    'nickname',
    'preferred_username',
    'profile',
    'picture',
    'website',
    'gender',
    'birthdate',
    'zoneinfo',
    'locale',
    'updated_at',
  ],
  email: ['email', 'email_verified'],
  groups: ['groups'],
  phone: ['phone_number', 'phone_number_verified'],
  address: ['address'],
};

/** Refresh tokens are for `offline_access`. */
export const grantedScopes = ['openid', 'offline_access', ...Object.keys(claimsByScope)];

/** The claims that the `claims` parameter of a request may name one by one. */
export const grantedClaims = ['sub', 'acr', 'auth_time', ...Object.values(claimsByScope).flat()];

const claimsOf = ({ site }: Destination): readonly Attribute[] =>
  (site.attributes ?? defaultClaims).filter(({ name }) => !isReservedClaim(name));

const scoped = new Set(Object.values(claimsByScope).flat());

/** The claims that neither a scope nor the protocol names. A site gets them with every sign-on. */
export const customClaimsIn = (available: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(available).filter(([name]) => !scoped.has(name) && !isReservedClaim(name)));

/**
 * Everything that a site may learn about a person; a request gets the part that its scopes and its `claims` parameter ask for. Groups are
 * always a list, because applications read them as one, and any other claim with one value is that value.
 */
export const toClaims = (
  parts: Pick<Parts, 'persistentNames'>,
  destination: Destination,
  user: SiteAccount,
): Record<string, unknown> & { sub: string } => {
  const released = claimsOf(destination).map((claim) => {
    const values = valuesOfAttribute(parts, destination, user, claim);
    const isList = (claim.source === 'groups' && claim.separator === '') || values.length > 1;
    return [claim.name, isList ? [...values] : values[0]] as const;
  });
  // Only people with a confirmed address can sign in. A claim with another value, such as a constant, is confirmed by nobody.
  const isVerified = claimsOf(destination).some(({ name, source }) => name === 'email' && source === 'email');
  return { ...Object.fromEntries(released), ...(isVerified && { email_verified: true }), sub: user.uid };
};

/** The scope that asks for a claim. */
export const scopeOf = (name: string): string =>
  Object.entries(claimsByScope).find(([, names]) => names.includes(name))?.[0] ?? 'openid';
