/** The panels that several features lead to. */
export const toUserDetails = (network: string, id: number): string => `/sso-servers/${network}/users/${id}/details`;

/** The name in the address is for people; the id is what is looked up. */
export const toSiteDetails = (network: string, { id, domain }: { id: number; domain: string }): string =>
  `/sso-servers/${network}/sites/${encodeURIComponent(domain)}/${id}/details`;
