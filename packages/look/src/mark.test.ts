import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { mark } from './mark.ts';

test('the favicon draws the mark', () => {
  const favicon = readFileSync(new URL('favicon.svg', import.meta.url), 'utf8');
  expect(favicon).toContain(`d="${mark.ring.d}"`);
  expect(favicon).toContain(`stroke-width="${mark.ring.strokeWidth}"`);
  expect(favicon).toContain(`cx="${mark.dot.cx}" cy="${mark.dot.cy}" r="${mark.dot.r}"`);
});
