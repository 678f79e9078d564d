export const toTemplates = (network: string): string => `/sso-servers/${network}/email-templates`;
