import { SocialProvider } from '@opensocial/contract';
import type { ServerMetadata } from 'openid-client';
import { z } from 'zod';
import type { networkSettings, sites } from '../../database/schema.ts';
import type { Parts } from '../../parts.ts';

/** The profile of a person at a provider. */
export type Profile = {
  subject: string;
  email: string | undefined;
  /** Whether the provider has verified the address. */
  emailVerified: boolean;
  firstname: string;
  lastname: string;
};

type Common = {
  /** The display name. */
  label: string;
  scope: string;
  /** Parameters that request a new authentication, if a site requires it. */
  again: Record<string, string>;
};

/** OpenID Connect: metadata by discovery, and identity by a signed ID token. */
type OpenIdDefinition = Common & { kind: 'openid'; issuer: string; hasPkce: boolean; hasNonce: boolean };

/** Plain OAuth 2: the identity is read from the provider's own API. */
type OauthDefinition = Common & {
  kind: 'oauth';
  server: ServerMetadata;
  /** The API URLs to read, each with the access token. */
  addresses: readonly string[];
  read: (...answers: unknown[]) => Profile;
};

export type Definition = OpenIdDefinition | OauthDefinition;
export type Definitions = Readonly<Record<SocialProvider, Definition>>;

const GithubUser = z.object({ id: z.int(), name: z.string().nullish() });
const GithubEmails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));
const FacebookUser = z.object({
  id: z.string().min(1),
  email: z.string().optional(),
  first_name: z.string().default(''),
  last_name: z.string().default(''),
});
const TwitterUser = z.object({
  data: z.object({ id: z.string().min(1), name: z.string().default(''), confirmed_email: z.string().optional() }),
});

/** The providers for which a network stores keys in its settings. */
export const wellKnown = {
  google: {
    kind: 'openid',
    label: 'Google',
    issuer: 'https://accounts.google.com',
    scope: 'openid email profile',
    hasPkce: true,
    hasNonce: true,
    again: { prompt: 'select_account' },
  },
  /** LinkedIn refuses a code verifier from a web application, and leaves the nonce out of its tokens. */
  linkedin: {
    kind: 'openid',
    label: 'LinkedIn',
    issuer: 'https://www.linkedin.com/oauth',
    scope: 'openid email profile',
    hasPkce: false,
    hasNonce: false,
    again: {},
  },
  /** Without a version in the URL, Facebook uses the version that the application was created for. */
  facebook: {
    kind: 'oauth',
    label: 'Facebook',
    server: {
      issuer: 'https://www.facebook.com',
      authorization_endpoint: 'https://www.facebook.com/dialog/oauth',
      token_endpoint: 'https://graph.facebook.com/oauth/access_token',
    },
    scope: 'email public_profile',
    again: { auth_type: 'reauthenticate' },
    addresses: ['https://graph.facebook.com/me?fields=id,email,first_name,last_name'],
    read: (user) => {
      const { id, email, first_name, last_name } = FacebookUser.parse(user);
      // Facebook does not say whether the address is verified.
      return { subject: id, email, emailVerified: false, firstname: first_name, lastname: last_name };
    },
  },
  github: {
    kind: 'oauth',
    label: 'GitHub',
    server: {
      issuer: 'https://github.com/login/oauth',
      authorization_endpoint: 'https://github.com/login/oauth/authorize',
      token_endpoint: 'https://github.com/login/oauth/access_token',
    },
    scope: 'read:user user:email',
    again: { prompt: 'select_account' },
    addresses: ['https://api.github.com/user', 'https://api.github.com/user/emails'],
    read: (user, emails) => {
      const { id, name } = GithubUser.parse(user);
      const primary = GithubEmails.parse(emails).find((address) => address.primary);
      return {
        subject: String(id),
        email: primary?.email,
        emailVerified: primary?.verified ?? false,
        ...splitName(name ?? ''),
      };
    },
  },
  twitter: {
    kind: 'oauth',
    label: 'X',
    server: {
      issuer: 'https://x.com',
      authorization_endpoint: 'https://x.com/i/oauth2/authorize',
      token_endpoint: 'https://api.x.com/2/oauth2/token',
      token_endpoint_auth_methods_supported: ['client_secret_basic'],
    },
    scope: 'tweet.read users.read users.email',
    again: {},
    addresses: ['https://api.x.com/2/users/me?user.fields=confirmed_email'],
    read: (user) => {
      const { id, name, confirmed_email } = TwitterUser.parse(user).data;
      return {
        subject: id,
        email: confirmed_email,
        emailVerified: confirmed_email !== undefined,
        ...splitName(name),
      };
    },
  },
} satisfies Definitions;

const splitName = (name: string) => {
  const [firstname = '', ...rest] = name.trim().split(/\s+/);
  return { firstname, lastname: rest.join(' ') };
};

type Client = { id: string; secret: string };

/** A provider with the client credentials to use. */
export type Provider = Definition & {
  name: string;
  client: Client;
  /** Configured by the operator under a name of their choice, which may later be reassigned to another issuer. */
  isNamed: boolean;
};

/** The site and settings that decide which providers are offered. */
export type Offer = {
  site: Pick<typeof sites.$inferSelect, 'auth_options' | 'custom_auth_options'>;
  settings: Pick<typeof networkSettings.$inferSelect, `${SocialProvider}_${'key' | 'secret'}`>;
};

/** The social logins of a site that work: enabled for the site, and with keys. */
export const listProviders = (
  parts: Pick<Parts, 'config' | 'vault'>,
  offer: Offer,
  definitions: Definitions = wellKnown,
): Provider[] => {
  const { auth_options } = offer.site;
  return namesOf(offer.site).flatMap((name) => {
    const known = SocialProvider.safeParse(name).data;
    if (known === undefined) return namedIssuer(parts, name);
    const client = auth_options.includes(known) ? clientOf(parts, offer, known) : undefined;
    return client ? { ...definitions[known], name, client, isNamed: false } : [];
  });
};

const namesOf = ({ auth_options, custom_auth_options }: Offer['site']): string[] => [
  ...new Set([...auth_options, ...custom_auth_options].map((name) => name.toLowerCase())),
];

/** The providers for which a network has both key and secret. */
export const keyedProviders = (settings: Offer['settings']): SocialProvider[] =>
  SocialProvider.options.filter((name) => settings[`${name}_key`] && settings[`${name}_secret`]);

/** The names of these social logins, for a network with keys for the given providers. */
export const usableLogins = (
  { config }: Pick<Parts, 'config'>,
  site: Offer['site'],
  providersWithKeys: readonly SocialProvider[],
): string[] =>
  namesOf(site).filter((name) => {
    const known = SocialProvider.safeParse(name).data;
    if (known === undefined) return config.oidcIssuers.some((issuer) => issuer.name === name);
    return site.auth_options.includes(known) && providersWithKeys.includes(known);
  });

export const findProvider = (
  parts: Pick<Parts, 'config' | 'vault'>,
  offer: Offer,
  name: string,
  definitions: Definitions = wellKnown,
): Provider | undefined => listProviders(parts, offer, definitions).find((provider) => provider.name === name);

/** The network's own keys. */
const clientOf = ({ vault }: Pick<Parts, 'vault'>, { settings }: Offer, name: SocialProvider): Client | undefined => {
  const id = settings[`${name}_key`];
  const secret = settings[`${name}_secret`];
  return id && secret ? { id, secret: vault.decrypt(secret).toString() } : undefined;
};

const namedIssuer = ({ config }: Pick<Parts, 'config'>, name: string): Provider[] =>
  config.oidcIssuers
    .filter((issuer) => issuer.name === name)
    .map(({ label, issuer, clientId, clientSecret }) => ({
      kind: 'openid',
      name,
      label: namedLabel(name, label),
      issuer,
      scope: 'openid email profile',
      hasPkce: true,
      hasNonce: true,
      again: { prompt: 'login' },
      client: { id: clientId, secret: clientSecret },
      isNamed: true,
    }));

const namedLabel = (name: string, label: string): string => (name === 'azure' ? 'Microsoft' : label);

/** The display name of a provider, even if it is no longer configured. */
export const labelOf = ({ oidcIssuers }: Pick<Parts['config'], 'oidcIssuers'>, name: string): string => {
  const known = SocialProvider.safeParse(name).data;
  if (known !== undefined) return wellKnown[known].label;
  return namedLabel(name, oidcIssuers.find((issuer) => issuer.name === name)?.label ?? name);
};
