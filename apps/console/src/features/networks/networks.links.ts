import { generatePath } from 'react-router';

export const networksPath = '/sso-servers';
export const networkPanelPath = '/opensocial/server/:name/:id/details';

export const toNetworks = (): string => networksPath;

export const toNetworkDetails = ({ url, id }: { url: string; id: number }): string =>
  generatePath(networkPanelPath, { name: url, id: String(id) });
