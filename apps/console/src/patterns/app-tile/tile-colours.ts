import type { DesktopApp } from '@opensocial/contract';
import { colourOf } from '@opensocial/look/colour';
import { formatDecimal, formatNumber } from '../format/format.ts';
import { contrast } from './contrast.ts';

/** The colours of a tile with the labels of their fields. */
export const tileColours = [
  ['icon_color', 'Icon Color'],
  ['icon_background', 'Icon Background Color'],
  ['text_color', 'Icon Text Color'],
  ['text_background', 'Icon Text Background Color'],
] as const;

type Colours = { color: string; backgroundColor: string };

/** The values of the token `--raised`, the background of a tile's name. */
export const surfaces = { light: '#ffffff', dark: '#141e2f' };

const ink = '#0b1220';
const white = '#ffffff';

/** Stored colours are #rrggbb. Any other text, also the empty text, means no colour. */
const colourFrom = (value: string): string | undefined => (/^#[0-9a-f]{6}$/i.test(value) ? value : undefined);

const readableOn = (background: string): string =>
  contrast(ink, background) >= contrast(white, background) ? ink : white;

type PlateLook = Pick<DesktopApp, 'name' | 'icon_color' | 'icon_background'>;

/** Chosen colours are used as they are. The other colours are derived from them. */
export const plateColours = (app: PlateLook): Colours => {
  const own = colourOf(app.name);
  const chosen = colourFrom(app.icon_background);
  const backgroundColor = chosen ?? own.background;
  return { color: colourFrom(app.icon_color) ?? (chosen ? readableOn(chosen) : own.text), backgroundColor };
};

type NameLook = Pick<DesktopApp, 'text_color' | 'text_background'>;

export const nameColours = (app: NameLook): Partial<Colours> => {
  const text = colourFrom(app.text_color);
  const chip = colourFrom(app.text_background);
  if (chip) return { color: text ?? readableOn(chip), backgroundColor: chip };
  return text ? { color: text } : {};
};

// The minimum contrast of WCAG 2.2 AA for text, and for meaningful graphics.
const textMinimum = 4.5;
const iconMinimum = 3;

/** Warnings about chosen colours with low contrast, by field. The colours are used nevertheless. */
export type ColourWarnings = Partial<Record<'icon_color' | 'text_color', string>>;

export const colourWarnings = (app: PlateLook & NameLook & { icon_bg: string }): ColourWarnings => ({
  // A picture covers the plate, so neither of its colours is visible.
  ...(colourFrom(app.icon_color) && app.icon_bg === '' && warn('icon_color', iconWarning(app))),
  ...(colourFrom(app.text_color) && warn('text_color', textWarning(app))),
});

const warn = (field: keyof ColourWarnings, warning: string | undefined): ColourWarnings =>
  warning === undefined ? {} : { [field]: warning };

const iconWarning = (app: PlateLook): string | undefined => {
  const { color, backgroundColor } = plateColours(app);
  const ratio = contrast(color, backgroundColor);
  return ratio < iconMinimum ? warningText('on its background', ratio, iconMinimum) : undefined;
};

const textWarning = ({ text_color, text_background }: NameLook): string | undefined => {
  const chip = colourFrom(text_background);
  const places: [place: string, ratio: number][] = chip
    ? [['on its background', contrast(text_color, chip)]]
    : [
        ['in the light theme', contrast(text_color, surfaces.light)],
        ['in the dark theme', contrast(text_color, surfaces.dark)],
      ];
  const worst = places.reduce((one, other) => (other[1] < one[1] ? other : one));
  return worst[1] < textMinimum ? warningText(worst[0], worst[1], textMinimum) : undefined;
};

/** Rounded down, so that 4.49 does not appear as 4.5. */
const warningText = (place: string, ratio: number, minimum: number): string =>
  `Hard to read ${place}: contrast ${formatDecimal(Math.floor(ratio * 10) / 10)} to 1, at least ${formatNumber(minimum)} to 1 is recommended.`;
