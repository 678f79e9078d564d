export const toUsers = (network: string): string => `/sso-servers/${network}/users`;

export const toNewUser = (network: string): string => `${toUsers(network)}/new`;

export const toUserTab = (network: string, id: number, tab: string): string => `${toUsers(network)}/${id}/${tab}`;
