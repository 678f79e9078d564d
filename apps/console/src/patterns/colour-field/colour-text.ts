import { Colour } from '@opensocial/contract';
import { palette } from './palette.ts';

const channels = [1, 3, 5] as const;

export const rgbText = (hex: string): string =>
  `rgb(${channels.map((start) => Number.parseInt(hex.slice(start, start + 2), 16)).join(', ')})`;

const names = new Map(palette.flatMap(({ colours }) => colours.map(({ name, hex }) => [hex, name])));

/** The name of a colour in the palette. */
export const colourName = (hex: string): string | undefined => names.get(hex.toLowerCase());

/** For example 'Petrol, #0f766e, rgb(15, 118, 110)'. A colour outside the palette has no name. */
export const colourText = (hex: string): string => [colourName(hex), hex, rgbText(hex)].filter(Boolean).join(', ');

/** Parses typed text to '#rrggbb'. The hash may be missing, and three digits are expanded to six. */
export const colourFrom = (typed: string): string | undefined => {
  const digits = typed.trim().replace(/^#/, '').toLowerCase();
  const hex = `#${digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits}`;
  return Colour.safeParse(hex).success ? hex : undefined;
};
