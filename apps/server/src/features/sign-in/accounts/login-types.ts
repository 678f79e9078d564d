import { mainNetworkName } from '../../../identity/membership.ts';
import type { Destination } from '../destination/destinations.queries.ts';

/** The name of a login with our own password, in the session and on the profile page. */
export const ownLogin = 'OpenSocial';

/** The name of a login with a passkey during a sign-in. The session notes it as `ownLogin`. */
export const passkeyLogin = `${ownLogin} passkey`;

/** The login type of sites that accept a sign-in at the main network. */
export const mainLogin = 'opensocial';

/** Whether a person was authenticated by us, with a password or a passkey, and not by another provider. */
export const isOwnLogin = (loginFrom: string | null): boolean =>
  loginFrom !== null && [ownLogin, passkeyLogin, mainLogin].includes(loginFrom);

/** Whether a site accepts a sign-in at the main network. A site of the main network itself has no need for it. */
export const offersMainLogin = ({ site, network }: Destination): boolean =>
  site.auth_options.includes(mainLogin) && network.name !== mainNetworkName;

/** Whether a site accepts a password or a passkey. The console always does: otherwise no owner could sign in to switch it on again. */
export const takesPassword = ({ site }: Destination): boolean => site.kind === 'console' || site.email_login;

/**
 * Whether a site accepts one of our own logins: directly if its email login is on, or by way of the main network. The same rule
 * applies to sessions, so that single sign-on does not get around a site's login types.
 */
export const acceptsOwnLogin = (destination: Destination): boolean =>
  takesPassword(destination) || offersMainLogin(destination);
