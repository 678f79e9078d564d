/** Returns a stored address if it is safe to link: http, https, or a path of this server. */
export const webUrl = (value: string): string | undefined => {
  const url = value.trim() === '' ? null : URL.parse(value, window.location.origin);
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : undefined;
};
