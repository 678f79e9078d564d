import { mainNetworkName } from '../../identity/membership.ts';
import type { Destination } from './destinations.queries.ts';
import type { Walk } from './walk.ts';

/** The login type of sites that take the main network's word for who somebody is. */
export const mainLogin = 'opensocial';

/** In the main network itself it would lead to where one is. */
export const offersMain = ({ site, network }: Destination): boolean =>
  site.auth_options.includes(mainLogin) && network.name !== mainNetworkName;

/**
 * Whether a site accepts an authentication of our own: by password or passkey while its email login is on, or by way of the main
 * network. That holds for sessions too: with email login off, single sign-on must not bring in what the site does not offer.
 */
export const acceptsOwnLogin = (destination: Destination): boolean =>
  destination.site.kind === 'console' || destination.site.email_login || offersMain(destination);

export const isThroughMain = ({ destination, asked }: Pick<Walk, 'destination' | 'asked'>): boolean =>
  destination.network.id !== asked.destination.network.id;
