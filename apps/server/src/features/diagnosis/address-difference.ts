/** How alike two addresses are: the later the first comparison that finds them equal, the less. */
const comparisons: readonly [phrase: string, normalise: (url: URL, text: string) => string][] = [
  ['the slash at the end differs', (_url, text) => text.replace(/\/+$/, '')],
  ['capital letters differ', (_url, text) => text.toLowerCase()],
  ['one begins with http:// and the other with https://', (url) => `${url.host}${url.pathname}${url.search}`],
  ['the query after the question mark differs', (url) => `${url.origin}${url.pathname}`],
  ['the port differs', (url) => `${url.protocol}${url.hostname}${url.pathname}${url.search}`],
  ['the path differs', (url) => url.origin],
  ['the host differs', (url) => `${url.pathname}${url.search}`],
];

const distanceOf = (received: string, registered: string): number => {
  const [left, right] = [URL.parse(received), URL.parse(registered)];
  if (!left || !right) return comparisons.length;
  const found = comparisons.findIndex(([, normalise]) => normalise(left, received) === normalise(right, registered));
  return found === -1 ? comparisons.length : found;
};

/** How two addresses differ, as a part of a sentence. */
export const describeDifference = (received: string, registered: string): string =>
  comparisons[distanceOf(received, registered)]?.[0] ?? 'they are different addresses';

/** The registered address that is most like the received one. */
export const nearestAddress = (received: string, registered: readonly string[]): string =>
  registered.toSorted((one, other) => distanceOf(received, one) - distanceOf(received, other))[0] ?? '';
