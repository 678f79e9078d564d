type Place = Pick<Location, 'pathname' | 'search'>;

export const signInUrl = ({ pathname, search }: Place): string =>
  `/server/saml/login?next=${encodeURIComponent(pathname + search)}`;

export const logoutUrl = '/server/saml/logout';

/** Leaves the console. The promise never settles, so the caller renders nothing while the browser navigates. */
const redirectTo = (url: string): Promise<never> => {
  window.location.replace(url);
  return new Promise(() => {});
};

export const redirectToSignIn = (): Promise<never> => redirectTo(signInUrl(window.location));

export const redirectToLogout = (): Promise<never> => redirectTo(logoutUrl);
