/** An address from stored data, if it is one that a browser may follow: http, https, or a path of our own. */
export const webUrl = (value: string): string | undefined => {
  const url = value.trim() === '' ? null : URL.parse(value, window.location.origin);
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : undefined;
};
