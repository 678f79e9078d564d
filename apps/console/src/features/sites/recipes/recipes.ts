import type { Application as OidcApplication } from '../oidc/applications/application.ts';
import { applications } from '../oidc/applications/applications.ts';
import type { SamlApplication } from '../saml/applications/application.ts';
import { samlApplications } from '../saml/applications/applications.ts';

/** A common application: how it is registered, and what to enter in it. */
export type Recipe =
  | { protocol: 'saml'; id: string; name: string; application: SamlApplication }
  | { protocol: 'oidc'; id: string; name: string; application: OidcApplication };

export const protocolNames = { saml: 'SAML', oidc: 'OpenID Connect' } as const;

/** All recipes, by name. */
export const recipes: readonly Recipe[] = [
  ...applications.map((application) => ({
    protocol: 'oidc' as const,
    id: application.id,
    name: application.name,
    application,
  })),
  ...samlApplications.map((application) => ({
    protocol: 'saml' as const,
    id: application.id,
    name: application.name,
    application,
  })),
].toSorted((one, other) => one.name.localeCompare(other.name, 'en'));

export const findRecipe = (id: string | null): Recipe | undefined => recipes.find((recipe) => recipe.id === id);

/**
 * The address of an application as an administrator enters or copies it, without a slash at the end. An address without a scheme is
 * taken as https. Undefined if it is no address of a web site.
 */
export const toBase = (address: string): string | undefined => {
  const text = address.trim();
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`);
  if (
    !url ||
    text === '' ||
    url.username ||
    url.password ||
    (!url.hostname.includes('.') && url.hostname !== 'localhost')
  )
    return undefined;
  const path = url.pathname.replace(/\/+$/, '');
  return `${url.origin}${path}`;
};

/** The host of an address, with its port unless it is the usual one. It is the name of the site in lists. */
export const domainOf = (base: string): string => URL.parse(base)?.host ?? '';
