import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { colourWarnings, nameColours, plateColours, surfaces } from './tile-colours.ts';

const nameOf = (text_color: string, text_background = '') => nameColours({ text_color, text_background });

describe('§2.3 desktop: the name in the tile’s text colour', () => {
  test.each(['#b91c1c', '#f5f5f5', '#ffffff', '#141e2f'])('%s is used unchanged in both themes', (colour) => {
    expect(nameOf(colour)).toEqual({ color: colour });
  });

  test('is shown on its own background, readable or not', () => {
    expect(nameOf('#ffffff', '#0f766e')).toEqual({ color: '#ffffff', backgroundColor: '#0f766e' });
    expect(nameOf('#ffff00', '#ffffee')).toEqual({ color: '#ffff00', backgroundColor: '#ffffee' });
  });

  test('is dark or white on a background without a text colour', () => {
    expect(nameOf('', '#111111')).toEqual({ color: '#ffffff', backgroundColor: '#111111' });
    expect(nameOf('', '#ffffee')).toEqual({ color: '#0b1220', backgroundColor: '#ffffee' });
  });

  test('is not changed if the stored value is not a colour', () => {
    for (const value of ['', 'red', 'url(https://evil.example)', '#fff', '#12345g'])
      expect(nameOf(value, value)).toEqual({});
  });
});

test('§2.3 desktop: an icon without a colour is readable on the chosen background', () => {
  expect(plateColours({ name: 'Reports', icon_color: '', icon_background: '#111111' }).color).toBe('#ffffff');
});

test('§2.3 desktop: an icon colour is used unchanged', () => {
  expect(plateColours({ name: 'Reports', icon_color: '#111111', icon_background: '#111111' }).color).toBe('#111111');
});

describe('§2.7 colours: low contrast is reported', () => {
  const none = {
    name: 'Reports',
    icon_bg: '',
    icon_color: '',
    icon_background: '',
    text_color: '',
    text_background: '',
  };
  const warningsOf = (changes: Partial<typeof none>) => colourWarnings({ ...none, ...changes });

  test.each([
    [{}, {}],
    [{ text_color: '#ffffff', text_background: '#0f766e' }, {}],
    [{ text_background: '#808080', icon_background: '#808080' }, {}],
    [{ icon_color: '#7c3aed', icon_background: '#ece8fd' }, {}],
    [
      { text_color: '#ffff00', text_background: '#ffffee' },
      { text_color: 'Hard to read on its background: contrast 1.0 to 1, at least 4.5 to 1 is recommended.' },
    ],
    [
      { text_color: '#ffffff' },
      { text_color: 'Hard to read in the light theme: contrast 1.0 to 1, at least 4.5 to 1 is recommended.' },
    ],
    [
      { text_color: '#4c1d95' },
      { text_color: 'Hard to read in the dark theme: contrast 1.5 to 1, at least 4.5 to 1 is recommended.' },
    ],
    [
      { icon_color: '#eeeeee', icon_background: '#ffffff' },
      { icon_color: 'Hard to read on its background: contrast 1.1 to 1, at least 3 to 1 is recommended.' },
    ],
    // A picture covers both colours.
    [{ icon_color: '#eeeeee', icon_background: '#ffffff', icon_bg: '/picture.png' }, {}],
    [{ text_color: 'red', icon_color: 'red' }, {}],
  ])('%j', (changes, warnings) => {
    expect(warningsOf(changes)).toEqual(warnings);
  });
});

test('§2.3 desktop: the surfaces are those of the tokens', () => {
  const tokens = readFileSync(createRequire(import.meta.url).resolve('@opensocial/look/tokens.css'), 'utf8');
  const [, light, dark] = tokens.match(/--raised: light-dark\((#\w+), (#\w+)\)/) ?? [];
  expect([light?.replace(/^#fff$/, '#ffffff'), dark]).toEqual([surfaces.light, surfaces.dark]);
});
