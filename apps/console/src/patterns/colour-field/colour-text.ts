import { Colour } from '@opensocial/contract';
import { palette } from './palette.ts';

const channels = [1, 3, 5] as const;

export const rgbText = (hex: string): string =>
  `rgb(${channels.map((start) => Number.parseInt(hex.slice(start, start + 2), 16)).join(', ')})`;

const names = new Map(palette.flatMap(({ colours }) => colours.map(({ name, hex }) => [hex, name])));

/** What the palette calls a colour. */
export const colourName = (hex: string): string | undefined => names.get(hex.toLowerCase());

/** 'Petrol, #0f766e, rgb(15, 118, 110)'; a colour that is not in the palette has no name. */
export const colourText = (hex: string): string => [colourName(hex), hex, rgbText(hex)].filter(Boolean).join(', ');

/** What someone typed, as '#rrggbb': the hash may be missing, and three digits stand for six. */
export const colourFrom = (typed: string): string | undefined => {
  const digits = typed.trim().replace(/^#/, '').toLowerCase();
  const hex = `#${digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits}`;
  return Colour.safeParse(hex).success ? hex : undefined;
};
