import type { OidcAuthentication, OidcClient } from '@opensocial/contract';
import type { ConfigurationPart } from '../../recipes/configuration.ts';

/** The values of a client that the configuration of an application contains. */
export type ClientValues = Pick<OidcClient, 'client_id' | 'endpoints'> & {
  /** The address of the application, such as https://grafana.example.org, without a slash at the end. */
  base: string;
  /** The secret if it was just made, otherwise a placeholder. */
  secret: string;
  /** A random secret that only the application needs, such as for its cookies: 32 bytes in base64url. */
  ownSecret: string;
};

export type Application = {
  id: string;
  name: string;
  /** How it can authenticate. */
  authentication: Exclude<OidcAuthentication, 'private_key_jwt'>;
  /** Whether its requests use PKCE with this configuration. */
  usesPkce: boolean;
  /** The addresses that it asks to be sent back to, the most important one first. */
  redirectUris: (base: string) => readonly string[];
  /** Where it is told that a session has ended. */
  backChannel?: (base: string) => string;
  configure: (values: ClientValues) => readonly ConfigurationPart[];
  /** What is left to do, and how groups are used. */
  hint: string;
};

/** A new value for `ownSecret`. Some applications accept it only with its padding. */
export const newOwnSecret = (): string =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))
    .replaceAll('+', '-')
    .replaceAll('/', '_');

const example = 'https://application.example';

/** The address of the application, as the registered redirect URLs show it, otherwise that of its domain. */
export const baseOf = (
  { redirectUris }: Pick<Application, 'redirectUris'>,
  { domain, redirect_uris }: Pick<OidcClient, 'domain' | 'redirect_uris'>,
): string => {
  const [ending = ''] = redirectUris(example).map((uri) => uri.slice(example.length));
  const registered = ending && redirect_uris.find((uri) => uri.endsWith(ending));
  return registered ? registered.slice(0, -ending.length) : `https://${domain}`;
};

/** The scopes of everything that applications need: who a person is, and their groups. */
export const scopes = ['openid', 'profile', 'email', 'groups'] as const;
