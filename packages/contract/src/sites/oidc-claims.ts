import type { Attribute, AttributeField, SiteRelease } from './sites.attributes.schemas.ts';

const naming = { friendly_name: '', name_format: 'unspecified' } as const;
const field = (name: string, source: AttributeField): Attribute => ({ name, source, ...naming });

/** The claims of a site without a list of its own. A request gets those of its scopes. */
export const defaultClaims: readonly Attribute[] = [
  field('name', 'fullname'),
  field('given_name', 'firstname'),
  field('family_name', 'lastname'),
  field('preferred_username', 'email'),
  field('email', 'email'),
  { name: 'groups', source: 'groups', prefix: '', separator: '', ...naming },
];

/**
 * Claims that the protocol itself defines, or that say what this server has checked. An application trusts them, so that a site cannot
 * have other values in them.
 */
const reservedClaims = new Set(
  `iss sub aud exp nbf iat jti auth_time nonce acr amr azp sid at_hash c_hash s_hash cnf act may_act events scope client_id token_type
   typ active username email_verified phone_number_verified sub_jwk _claim_names _claim_sources __proto__`.split(/\s+/),
);

/** Whether the protocol gives a claim a meaning of its own. */
export const isReservedClaim = (name: string): boolean => reservedClaims.has(name.toLowerCase());

/** Why a site that uses OpenID Connect cannot have this claim, among the others; undefined if it can. */
export const describeClaimFault = (claim: Attribute, others: readonly Attribute[]): string | undefined => {
  if (isReservedClaim(claim.name)) return `${claim.name} is a claim of the protocol. Choose another name.`;
  if (others.some(({ name }) => name === claim.name)) return 'Another claim has the same name.';
  return undefined;
};

/** Why a site that uses OpenID Connect cannot have this release; undefined if it can. */
export const describeReleaseFault = (release: SiteRelease): string | undefined => {
  const { name_id_format, name_id_source, attributes, attribute_index, further_attributes } = release;
  const hasNameId = name_id_format !== 'requested' || name_id_source !== 'email';
  if (hasNameId || attribute_index !== null || further_attributes.length > 0)
    return 'A site that uses OpenID Connect has neither a NameID nor further lists of attributes.';
  const claims = attributes ?? [];
  const faults = claims.map((claim, index) => describeClaimFault(claim, claims.slice(0, index)));
  return faults.find((fault) => fault !== undefined);
};
