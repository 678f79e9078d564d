import { mainNetworkName } from '../networks/networks.service.ts';
import type { Destination } from './destinations.queries.ts';
import type { Walk } from './walk.ts';

/** The login type of sites that take the main network's word for who somebody is. */
export const mainLogin = 'opensocial';

/** In the main network itself it would lead to where one is. */
export const offersMain = ({ site, network }: Destination): boolean =>
  site.auth_options.includes(mainLogin) && network.name !== mainNetworkName;

export const isThroughMain = ({ destination, asked }: Pick<Walk, 'destination' | 'asked'>): boolean =>
  destination.network.id !== asked.destination.network.id;
