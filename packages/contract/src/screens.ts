/**
 * First path segments that the server answers itself, or that a proxy in front of it commonly answers. `/set-password`
 * is included because nobody signs in to get there, and its URL contains a token.
 */
const reserved = new Set(
  'server prxy saml signin signin-test oidc assets media healthz readyz metrics set-password'.split(' '),
);

/**
 * Whether the console answers a path, as `URL.pathname` gives it, with a screen or its 404 page, so that it is a valid
 * return target after signing in. Dot segments, backslashes and empty segments are refused in every encoding, because a
 * proxy may decode a path once more than a browser does.
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

/** A browser encodes once, and a proxy may encode again. More layers are refused, because each one costs time. */
const maximumLayers = 4;

/** Removes every layer of percent-encoding, or returns undefined if decoding fails or there are too many layers. */
const decodeFully = (segment: string): string | undefined => {
  let text = decode(segment);
  for (let layer = 1; layer < maximumLayers; layer += 1) {
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

/** A segment may contain an encoded slash, but no dot segment, backslash or control character. */
const isPlainSegment = (segment: string | undefined): segment is string =>
  segment !== undefined &&
  !/[\\\p{Cc}]/u.test(segment) &&
  !segment.split('/').some((piece) => /^\.{1,2}(;|$)/.test(piece));
