import { generatePath } from 'react-router';

/** The desktop of a network. The loader of this route selects the network, so a plain link is enough to switch networks. */
export const networkDesktopPath = '/sso-servers/:server';

export const toNetworkDesktop = (name: string): string => generatePath(networkDesktopPath, { server: name });
