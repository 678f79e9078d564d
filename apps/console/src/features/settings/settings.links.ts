export const toSettings = (network: string): string => `/sso-servers/${network}/settings`;
