const colour = /^#[0-9a-f]{6}$/i;

export const colourOr = <T extends string | undefined>(value: unknown, otherwise: T): string | T =>
  typeof value === 'string' && colour.test(value) ? value : otherwise;

const luminance = (hex: string): number => {
  const channel = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
};

/** The contrast ratio of two #rrggbb colours by WCAG 2.2, from 1 to 21. */
export const contrastOf = (one: string, other: string): number => {
  const [first, second] = [luminance(one), luminance(other)];
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
};

/** The minimum contrast ratio of text in WCAG 2.2 AA. */
export const minimumContrast = 4.5;

export const isReadableOn = (text: string, background: string): boolean =>
  contrastOf(text, background) >= minimumContrast;

/** The first text colour that is readable on a background. On mid-tones neither is, and black is used. */
const firstReadable = (background: string, dark: string): string =>
  [dark, '#ffffff'].find((text) => isReadableOn(text, background)) ?? '#000000';

/** The colour of labels on buttons and badges: dark or white. */
export const readableOn = (background: string): string => firstReadable(background, '#0b1220');

/** The text colour of a mail if none is chosen. */
export const ink = '#1a2537';
export const textColourOn = (background: string): string => firstReadable(background, ink);

/** Links have the accent colour if it is readable, otherwise the colour of the surrounding text. */
export const linkColourOn = (background: string, textColour: string): string =>
  isReadableOn('#0f766e', background) ? '#0f766e' : textColour;
