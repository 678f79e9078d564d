import { browserFamily, unknownBrowser } from '@opensocial/contract';

const systems: readonly [pattern: RegExp, name: string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** A label for a browser by its User-Agent header: 'Firefox on Windows', or only 'Firefox' if the header names no known system. */
export const browserName = (userAgent: string): string => {
  const family = browserFamily(userAgent);
  const browser = family === unknownBrowser ? 'Unknown browser' : family;
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1];
  return system === undefined ? browser : `${browser} on ${system}`;
};

export const isPhone = (userAgent: string): boolean => /\b(?:iPhone|Android|Mobile)\b/.test(userAgent);
