/** The first that fits names it: most browsers claim to be several. */
const browsers: readonly [pattern: RegExp, name: string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const systems: readonly [pattern: RegExp, name: string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

const first = (named: typeof browsers, text: string): string | undefined =>
  named.find(([pattern]) => pattern.test(text))?.[1];

/** 'Firefox on Windows', as far as a browser says so of itself. */
export const browserName = (userAgent: string): string => {
  const browser = first(browsers, userAgent) ?? 'A browser';
  const system = first(systems, userAgent);
  return system ? `${browser} on ${system}` : browser;
};

export const isPhone = (userAgent: string): boolean => /\b(?:iPhone|Android|Mobile)\b/.test(userAgent);
