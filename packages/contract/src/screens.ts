/** Screens of the console by their first segments (SPEC 2.1). `/set-password` is missing: nobody signs in to get there. */
const single = new Set(['', 'about', 'profile', 'signed-in-again']);
const trees = [['sso-servers'], ['activity'], ['opensocial', 'server']];
const embedded = new Set(['report', 'designer']);

/** First segments that the server answers itself, or that no product may take in `/{product}/report`. */
const reserved = new Set('server prxy saml signin oidc assets healthz readyz metrics set-password'.split(' '));

/**
 * Whether a path, as `URL.pathname` gives it, is a screen of the console that somebody may return to after signing in. Dot
 * segments and backslashes are refused in every encoding, because a proxy may decode a path once more than a browser does.
 */
export const isConsoleScreen = (pathname: string): boolean => {
  const decoded = pathname.slice(1).replace(/\/$/, '').split('/').map(decodeFully);
  if (!pathname.startsWith('/') || !decoded.every(isPlainSegment)) return false;
  const [first = '', second = '', ...rest] = decoded.map(fold);
  if (second === '' && rest.length === 0 && single.has(first)) return true;
  if (decoded.some((segment) => segment === '')) return false;
  if (trees.some((tree) => tree.every((name, place) => [first, second][place] === name))) return true;
  return rest.length === 0 && embedded.has(second) && !reserved.has(first);
};

const fold = (segment: string | undefined): string => (segment ?? '').normalize('NFKC').toLowerCase();

/** A segment with every layer of percent-encoding removed, or nothing where it cannot be decoded at all. */
const decodeFully = (segment: string): string | undefined => {
  let text = decode(segment);
  for (let further = decode(text); further !== undefined && further !== text; further = decode(text)) text = further;
  return text;
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
