/** Returns a URL from stored data if a browser may follow it: http, https or a path of our own. */
export const webUrl = (value: string | undefined): string | undefined => {
  if (!value) return undefined;
  const base = 'https://own.invalid';
  const protocol = URL.canParse(value, base) ? new URL(value, base).protocol : '';
  return protocol === 'https:' || protocol === 'http:' ? value : undefined;
};

/** The address is encoded, so that it cannot add a subject or further recipients. */
export const mailUrl = (address: string): string => `mailto:${encodeURIComponent(address).replace('%40', '@')}`;
