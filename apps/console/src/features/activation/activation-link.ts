import { activationLinkKey } from '@opensocial/contract';

export type ActivationLink = { email: string; token: string };

/**
 * The activation link from the mail, or null if a part is missing. The server has moved it from the address to the
 * session storage before this page was loaded; only Vite's development server leaves it in the address. A link in the
 * address, even an incomplete one, takes precedence over a stored one.
 */
export const readLink = (url: string): ActivationLink | null => {
  const { pathname, searchParams } = new URL(url);
  const isInAddress = searchParams.has('email') || searchParams.has('token');
  if (!isInAddress) return readStored();
  window.history.replaceState(window.history.state, '', pathname);
  removeStoredLink();
  return toLink({ email: searchParams.get('email'), token: searchParams.get('token') });
};

/** Called when the link has been used. Until then a reload of the page finds it again. */
export const removeStoredLink = (): void => {
  try {
    window.sessionStorage.removeItem(activationLinkKey);
  } catch {
    // The browser may forbid session storage. Then there is nothing to remove.
  }
};

const readStored = (): ActivationLink | null => {
  try {
    return toLink(JSON.parse(window.sessionStorage.getItem(activationLinkKey) ?? 'null'));
  } catch {
    return null;
  }
};

const toLink = (given: unknown): ActivationLink | null => {
  if (typeof given !== 'object' || given === null || !('email' in given) || !('token' in given)) return null;
  const { email, token } = given;
  return typeof email === 'string' && typeof token === 'string' && email && token ? { email, token } : null;
};
