/** Relative to the address of the network. */
export const desktopOfUserPath = 'users/:user_id/desktop';

export const toDesktopOfUser = (network: string, userId: number): string =>
  `/sso-servers/${network}/users/${userId}/desktop`;
