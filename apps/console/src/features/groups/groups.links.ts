export const toGroups = (network: string): string => `/sso-servers/${network}/groups`;

type GroupRef = { id: number; name: string };

/** The name makes the address readable; the screen finds the group by its id. */
export const toGroupTab = (network: string, { id, name }: GroupRef, tab: string): string =>
  `${toGroups(network)}${name === '' ? '' : `/${encodeURIComponent(name)}`}/${id}/${tab}`;

export const toGroupDetails = (network: string, group: GroupRef): string => toGroupTab(network, group, 'details');
