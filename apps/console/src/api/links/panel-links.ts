/** Links to panels that several features use. */
export const toUserDetails = (network: string, id: number): string => `/sso-servers/${network}/users/${id}/details`;

/** The name makes the address readable; the screen finds the site by its id. */
export const toSiteDetails = (network: string, { id, domain }: { id: number; domain: string }): string =>
  `/sso-servers/${network}/sites/${encodeURIComponent(domain)}/${id}/details`;
