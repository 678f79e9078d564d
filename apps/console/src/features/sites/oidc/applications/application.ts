import type { OidcAuthentication, OidcClient } from '@opensocial/contract';

/** The values of a client that the configuration of an application contains. */
export type ClientValues = Pick<OidcClient, 'domain' | 'client_id' | 'endpoints'> & {
  /** The secret if it was just made, otherwise a placeholder. */
  secret: string;
};

/** A text to paste into a file or a shell. */
type ConfigurationText = { title: string; text: string };

/** Values to enter in the settings of the application. */
type ConfigurationFields = { title: string; fields: readonly (readonly [label: string, value: string])[] };

export type Application = {
  id: string;
  name: string;
  /** How it can authenticate. */
  authentication: Exclude<OidcAuthentication, 'private_key_jwt'>;
  /** Whether its requests use PKCE with this configuration. */
  usesPkce: boolean;
  /** The addresses that it asks to be sent back to, the most important one first. */
  redirectUris: (domain: string) => readonly string[];
  /** Where it is told that a session has ended. */
  backChannel?: (domain: string) => string;
  configure: (values: ClientValues) => readonly (ConfigurationText | ConfigurationFields)[];
  /** What is left to do, and how groups are used. */
  hint: string;
};

/** The scopes of everything that applications need: who a person is, and their groups. */
export const scopes = ['openid', 'profile', 'email', 'groups'] as const;

/** The name of this service in the configuration of applications, which is part of some addresses. */
export const providerName = 'opensocial';

export const providerLabel = 'OpenSocial';

export const linesOf = (...lines: string[]): string => `${lines.join('\n')}\n`;
