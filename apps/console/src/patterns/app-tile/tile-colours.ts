import type { DesktopApp } from '@opensocial/contract';
import { colourOf } from '@opensocial/look/colour';
import { contrast, isReadable } from './contrast.ts';

type Colours = { color: string; backgroundColor: string };

/** `--raised` of the tokens: what a tile's name stands on. */
export const surfaces = { light: '#ffffff', dark: '#141e2f' };

const ink = '#0b1220';
const white = '#ffffff';

/** Stored colours are #rrggbb; anything else, the empty text too, is no colour. */
const colourFrom = (value: string): string | undefined => (/^#[0-9a-f]{6}$/i.test(value) ? value : undefined);

const readableOn = (background: string): string =>
  contrast(ink, background) >= contrast(white, background) ? ink : white;

export const plateColours = (app: Pick<DesktopApp, 'name' | 'icon_color' | 'icon_background'>): Colours => {
  const own = colourOf(app.name);
  const chosen = colourFrom(app.icon_background);
  const backgroundColor = chosen ?? own.background;
  return { color: colourFrom(app.icon_color) ?? (chosen ? readableOn(chosen) : own.text), backgroundColor };
};

/** A colour that was chosen for one scheme must not make the name unreadable in the other. */
export const nameColours = (app: Pick<DesktopApp, 'text_color' | 'text_background'>): Partial<Colours> => {
  const text = colourFrom(app.text_color);
  const chip = colourFrom(app.text_background);
  if (chip) return { color: text && isReadable(text, chip) ? text : readableOn(chip), backgroundColor: chip };
  if (!text) return {};
  const on = (surface: string): string => (isReadable(text, surface) ? text : 'var(--text)');
  return { color: `light-dark(${on(surfaces.light)}, ${on(surfaces.dark)})` };
};
