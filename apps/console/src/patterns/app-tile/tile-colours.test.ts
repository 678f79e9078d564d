import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { nameColours, plateColours, surfaces } from './tile-colours.ts';

const nameOf = (text_color: string, text_background = '') => nameColours({ text_color, text_background });

describe('§2.3 desktop: the name in the tile’s text colour', () => {
  test('is drawn in it where it can be read, scheme by scheme', () => {
    expect(nameOf('#b91c1c')).toEqual({ color: 'light-dark(#b91c1c, var(--text))' });
    expect(nameOf('#f5f5f5')).toEqual({ color: 'light-dark(var(--text), #f5f5f5)' });
  });

  test('stands on its own background where there is one', () => {
    expect(nameOf('#ffffff', '#0f766e')).toEqual({ color: '#ffffff', backgroundColor: '#0f766e' });
  });

  test('gives way to ink or white where the two cannot be read together', () => {
    expect(nameOf('#ffff00', '#ffffee')).toEqual({ color: '#0b1220', backgroundColor: '#ffffee' });
    expect(nameOf('', '#111111')).toEqual({ color: '#ffffff', backgroundColor: '#111111' });
  });

  test('is left alone where the stored value is no colour', () => {
    for (const value of ['', 'red', 'url(https://evil.example)', '#fff', '#12345g'])
      expect(nameOf(value, value)).toEqual({});
  });
});

test('§2.3 desktop: an icon without a colour is readable on the background that was chosen', () => {
  expect(plateColours({ name: 'Reports', icon_color: '', icon_background: '#111111' }).color).toBe('#ffffff');
});

test('§2.3 desktop: the surfaces are those of the tokens', () => {
  const tokens = readFileSync(createRequire(import.meta.url).resolve('@opensocial/look/tokens.css'), 'utf8');
  const [, light, dark] = tokens.match(/--raised: light-dark\((#\w+), (#\w+)\)/) ?? [];
  expect([light?.replace(/^#fff$/, '#ffffff'), dark]).toEqual([surfaces.light, surfaces.dark]);
});
