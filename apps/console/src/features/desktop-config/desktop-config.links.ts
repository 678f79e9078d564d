export const toUserDesktop = (network: string): string => `/sso-servers/${network}/desktop`;

export const toUpdateSite = (network: string, id: number): string => `${toUserDesktop(network)}/${id}/details`;
