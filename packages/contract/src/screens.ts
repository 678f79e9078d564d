/**
 * First segments of addresses that the server answers itself, and of those that a proxy in front of it commonly does.
 * `/set-password` is among them because nobody signs in to get there, and its address carries a token.
 */
const reserved = new Set('server prxy saml signin oidc assets media healthz readyz metrics set-password'.split(' '));

/**
 * Whether the console answers a path, as `URL.pathname` gives it, so that somebody may return to it after signing in: with a screen,
 * or with its 404 page. Dot segments, backslashes and empty segments are refused in every encoding, because a proxy may decode a
 * path once more than a browser does.
 */
export const isConsolePath = (pathname: string): boolean => {
  if (pathname === '/') return true;
  if (!pathname.startsWith('/')) return false;
  const decoded = pathname.slice(1).replace(/\/$/, '').split('/').map(decodeFully);
  if (!decoded.every((segment) => segment !== '' && isPlainSegment(segment))) return false;
  const first = decoded[0]?.split('/') ?? [];
  return first.every((piece) => piece !== '') && !reserved.has(fold(first[0]));
};

const fold = (segment: string | undefined): string => (segment ?? '').normalize('NFKC').toLowerCase();

/** A browser encodes once, and a proxy that encodes again does so once more. Each layer costs time that a stranger could make us spend. */
const mostLayers = 4;

/** A segment with every layer of percent-encoding removed, or nothing where it cannot be decoded or has too many. */
const decodeFully = (segment: string): string | undefined => {
  let text = decode(segment);
  for (let layer = 1; layer < mostLayers; layer += 1) {
    const further = decode(text);
    if (further === undefined || further === text) return text;
    text = further;
  }
  return undefined;
};

const decode = (text: string | undefined): string | undefined => {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

/** Names may hold a slash of their own, but no step up or down, no backslash and no control character. */
const isPlainSegment = (segment: string | undefined): segment is string =>
  segment !== undefined &&
  !/[\\\p{Cc}]/u.test(segment) &&
  !segment.split('/').some((piece) => /^\.{1,2}(;|$)/.test(piece));
