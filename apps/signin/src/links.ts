/** An address from stored data, if it is one a browser may follow: http, https or a path of our own. */
export const webUrl = (value: string | undefined): string | undefined => {
  if (!value) return undefined;
  const base = 'https://own.invalid';
  const protocol = URL.canParse(value, base) ? new URL(value, base).protocol : '';
  return protocol === 'https:' || protocol === 'http:' ? value : undefined;
};

/** Encoded, so that an address cannot bring along a subject or further recipients. */
export const mailUrl = (address: string): string => `mailto:${encodeURIComponent(address).replace('%40', '@')}`;
