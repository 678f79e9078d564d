import { expect, test } from 'vitest';
import { colourOf } from './colour.ts';

const luminance = (hex: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const channel = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

const contrast = (one: string, other: string): number => {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
};

const names = [
  ...Array.from({ length: 20_000 }, (_, index) => `Site ${index}`),
  '',
  ' ',
  '🧪',
  'Reports',
  'x'.repeat(5000),
];

test('the letter has enough contrast for every name, hence every hue', () => {
  const pairs = names.map(colourOf);
  expect(new Set(pairs.map(({ text }) => text)).size).toBeGreaterThan(340);
  expect(Math.min(...pairs.map(({ background, text }) => contrast(background, text)))).toBeGreaterThanOrEqual(4.5);
});

test('a name has one colour, regardless of case and surrounding space', () => {
  expect(colourOf(' reports ')).toEqual(colourOf('Reports'));
});

test('colours are plain hex, which SVG attributes accept', () => {
  for (const { background, text } of names.slice(-400).map(colourOf)) {
    expect(background + text).toMatch(/^(#[0-9a-f]{6}){2}$/);
  }
});
