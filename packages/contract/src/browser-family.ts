/**
 * The product tokens of a User-Agent header by browser, on desktops, Android and iOS. The order matters: Edge, Opera and Samsung
 * Internet also send the token of Chrome, and nearly all browsers send that of Safari.
 */
const families: readonly [token: RegExp, family: string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|OPT|OPX|OPiOS|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

/** The text for a browser that is not in the list, for use within a sentence. */
export const unknownBrowser = 'an unknown browser';

/** The name of a browser by its User-Agent header, such as 'Firefox'. */
export const browserFamily = (userAgent: string): string =>
  families.find(([token]) => token.test(userAgent))?.[1] ?? unknownBrowser;
