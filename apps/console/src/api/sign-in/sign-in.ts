type Place = Pick<Location, 'pathname' | 'search'>;

export const signInUrl = ({ pathname, search }: Place): string =>
  `/server/saml/login?next=${encodeURIComponent(pathname + search)}`;

export const logoutUrl = '/server/saml/logout';

/** Leaves the console. The promise never settles, so the caller renders nothing while the browser navigates. */
const leaveFor = (url: string): Promise<never> => {
  window.location.replace(url);
  return new Promise(() => {});
};

export const leaveForSignIn = (): Promise<never> => leaveFor(signInUrl(window.location));

export const leaveForLogout = (): Promise<never> => leaveFor(logoutUrl);
