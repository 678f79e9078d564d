export const toOwners = (network: string): string => `/sso-servers/${network}/admins`;
