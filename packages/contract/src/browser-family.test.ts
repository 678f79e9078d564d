import { expect, test } from 'vitest';
import { browserFamily, unknownBrowser } from './browser-family.ts';

const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)';
const android = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko)';
const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';

test.each([
  ['Chrome', `${windows} Chrome/140.0.0.0 Safari/537.36`],
  ['Chrome', `${windows} HeadlessChrome/140.0.0.0 Safari/537.36`],
  ['Chrome', `${android} Chrome/140.0.0.0 Mobile Safari/537.36`],
  ['Chrome', `${iPhone} CriOS/140.0.7339.101 Mobile/15E148 Safari/604.1`],
  ['Edge', `${windows} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`],
  ['Edge', `${windows} Chrome/64.0.3282.140 Safari/537.36 Edge/18.17763`],
  ['Edge', `${android} Chrome/140.0.0.0 Mobile Safari/537.36 EdgA/140.0.0.0`],
  ['Edge', `${iPhone} Version/18.0 EdgiOS/140.0.3485.54 Mobile/15E148 Safari/605.1.15`],
  ['Opera', `${windows} Chrome/140.0.0.0 Safari/537.36 OPR/122.0.0.0`],
  ['Opera', `${android} Chrome/140.0.0.0 Mobile Safari/537.36 OPR/91.0.0.0`],
  ['Opera', `${iPhone} Version/18.0 Mobile/15E148 Safari/604.1 OPT/5.8.0`],
  ['Opera', `${iPhone} OPiOS/16.0.15.124050 Mobile/15E148 Safari/9537.53`],
  ['Opera', 'Opera/9.80 (Android; Opera Mini/84.0.2254/191.303; U; en) Presto/2.12.423 Version/12.16'],
  ['Firefox', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
  ['Firefox', 'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0'],
  ['Firefox', `${iPhone} FxiOS/140.0 Mobile/15E148 Safari/605.1.15`],
  [
    'Safari',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
  ],
  ['Safari', `${iPhone} Version/18.0 Mobile/15E148 Safari/604.1`],
  ['Samsung Internet', `${android} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`],
  [unknownBrowser, 'curl/8.0'],
  [unknownBrowser, ''],
])('recognises %s in the header %s', (family, userAgent) => {
  expect(browserFamily(userAgent)).toBe(family);
});
