export const toOverview = (network: string): string => `/sso-servers/${network}/overview`;
