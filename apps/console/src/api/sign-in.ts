type Place = Pick<Location, 'pathname' | 'search'>;

export const signInUrl = ({ pathname, search }: Place): string =>
  `/server/saml/login?next=${encodeURIComponent(pathname + search)}`;

/** Leaves the console; the promise never settles, so that whoever awaits it shows nothing more on the way out. */
export const leaveForSignIn = (): Promise<never> => {
  window.location.replace(signInUrl(window.location));
  return new Promise(() => {});
};

export const logoutUrl = '/server/saml/logout';
