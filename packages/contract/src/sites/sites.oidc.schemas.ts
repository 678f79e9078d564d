import { z } from 'zod';
import { emptyOr, Hostname, Id, SsoUrl } from '../fields.ts';
import { basedOn, versioned } from '../versions.ts';
import { AttributeList } from './sites.attributes.schemas.ts';
import { newTile } from './sites.tile.schemas.ts';

/** How a site signs people in. */
export const SiteProtocol = z.enum(['saml', 'oidc']);
export type SiteProtocol = z.infer<typeof SiteProtocol>;

/**
 * How a client proves who it is at the token endpoint. `secret`: by a secret, in a header or in the form. `private_key_jwt`: by a signature
 * with its own key. `none`: not at all, as a program in a browser or on a phone cannot keep a secret; PKCE protects its codes.
 */
export const OidcAuthentication = z.enum(['secret', 'private_key_jwt', 'none']);
export type OidcAuthentication = z.infer<typeof OidcAuthentication>;

/** The algorithm that signs the ID tokens of a client. */
export const OidcAlgorithm = z.enum(['RS256', 'ES256']);
export type OidcAlgorithm = z.infer<typeof OidcAlgorithm>;

const addresses = (maximum: number) =>
  z
    .array(SsoUrl)
    .max(maximum, `At most ${maximum} addresses.`)
    .refine((list) => new Set(list).size === list.length, 'Enter each address only once.');

const isPublicJwk = (key: Record<string, unknown>): boolean =>
  typeof key['kty'] === 'string' && ['RSA', 'EC'].includes(key['kty']) && !('d' in key) && !('k' in key);

/** Public keys. Private ones are refused, so that they are never stored here by mistake. */
const Jwks = z.strictObject({
  keys: z
    .array(z.record(z.string(), z.unknown()).refine(isPublicJwk, 'Only public RSA and EC keys are accepted.'))
    .min(1, 'Enter at least one key.')
    .max(10, 'At most 10 keys.'),
});

const parameters = {
  authentication: OidcAuthentication,
  /** Where codes are sent. A request must name one of them exactly. */
  redirect_uris: addresses(20).min(1, 'Enter at least one address.'),
  /** Where browsers return to after a logout. */
  post_logout_uris: addresses(20),
  /** Where the server of the site is told that a session has ended. */
  backchannel_logout_uri: emptyOr(SsoUrl),
  /** The page of the site that ends its session when it is loaded in a frame. */
  frontchannel_logout_uri: emptyOr(SsoUrl),
  algorithm: OidcAlgorithm,
  /** Whether a request needs PKCE. Requests of clients without a secret always do. */
  requires_pkce: z.boolean(),
  /** Whether the site may have refresh tokens that work after the person has signed out. */
  allows_offline: z.boolean(),
  /** The public keys of a client that authenticates with `private_key_jwt`: as they are, or the address of them. */
  jwks: Jwks.nullable(),
  jwks_uri: emptyOr(SsoUrl),
};

const checkParameters = (
  { authentication, jwks, jwks_uri }: Pick<z.infer<typeof OidcParameters>, 'authentication' | 'jwks' | 'jwks_uri'>,
  context: Pick<z.RefinementCtx, 'addIssue'>,
): void => {
  const count = [jwks !== null, jwks_uri !== ''].filter(Boolean).length;
  const isKeyed = authentication === 'private_key_jwt';
  if (isKeyed && count !== 1)
    context.addIssue({
      code: 'custom',
      path: ['jwks_uri'],
      message: 'Enter either the keys of the site or their address.',
    });
  if (!isKeyed && count > 0)
    context.addIssue({
      code: 'custom',
      path: ['jwks_uri'],
      message: 'Only a site that authenticates with its own key has keys.',
    });
};

/** The parameters of an OpenID Connect client that its site keeps. */
export const OidcParameters = z.object(parameters);
export type OidcParameters = z.infer<typeof OidcParameters>;

/** A new site. The server chooses the client id. */
export const OidcSiteDraft = z
  .strictObject({ domain: Hostname, ...parameters, ...newTile })
  .superRefine(checkParameters);
export type OidcSiteDraft = z.input<typeof OidcSiteDraft>;

export const OidcClientChanges = z.strictObject({ id: Id, ...parameters, ...basedOn }).superRefine(checkParameters);
export type OidcClientChanges = z.input<typeof OidcClientChanges>;

/** The addresses of the provider that an application needs. */
export const OidcEndpoints = z.object({
  issuer: z.string(),
  discovery: z.string(),
  authorization: z.string(),
  token: z.string(),
  userinfo: z.string(),
  jwks: z.string(),
  logout: z.string(),
});
export type OidcEndpoints = z.infer<typeof OidcEndpoints>;

/** A secret without its value, which is shown only when it is made. `hint` are its last characters. */
export const OidcSecret = z.object({ id: z.int(), hint: z.string(), created_at: z.string() });
export type OidcSecret = z.infer<typeof OidcSecret>;

/** The OpenID Connect parameters of a site, with everything that its administrator enters in the application. */
export const OidcClient = z.object({
  id: z.int(),
  domain: z.string(),
  client_id: z.string(),
  ...parameters,
  endpoints: OidcEndpoints,
  secrets: z.array(OidcSecret),
  ...versioned,
});
export type OidcClient = z.infer<typeof OidcClient>;

/** A client with its new secret; empty if it has none. The secret is not shown again. */
export const OidcClientWithSecret = OidcClient.extend({ secret: z.string() });
export type OidcClientWithSecret = z.infer<typeof OidcClientWithSecret>;

/** A preview of the claims about a person, with a list that need not be saved. */
export const ClaimsPreviewDraft = z.strictObject({ user_id: Id, attributes: AttributeList.nullable() });
export type ClaimsPreviewDraft = z.input<typeof ClaimsPreviewDraft>;

export const ClaimsPreview = z.object({
  /** Why the person could not sign in to the site; null if they could. */
  refusal: z.string().nullable(),
  /** Each claim with the scope that asks for it. `openid` is in every request. */
  claims: z.array(z.object({ name: z.string(), scope: z.string(), value: z.json() })),
  /** The ID token as JSON, for a request with all scopes. It has expired since 1970. Empty if the person could not sign in. */
  id_token: z.string(),
});
export type ClaimsPreview = z.infer<typeof ClaimsPreview>;

/** A key that signs the tokens of a network. Its private part never leaves the server. */
export const OidcKey = z.object({
  id: z.int(),
  algorithm: OidcAlgorithm,
  state: z.enum(['next', 'current', 'retired']),
  kid: z.string(),
  created_at: z.iso.datetime(),
  /** When the next key begins to sign, or a retired one is no longer published; null for a current one. */
  changes_at: z.iso.datetime().nullable(),
});
export type OidcKey = z.infer<typeof OidcKey>;

/** `is_compromised`: the key is no longer trusted, so it is replaced and removed at once. Tokens that it has signed are then not valid. */
export const OidcKeyReplacement = z.strictObject({ algorithm: OidcAlgorithm, is_compromised: z.boolean() });
export type OidcKeyReplacement = z.input<typeof OidcKeyReplacement>;
