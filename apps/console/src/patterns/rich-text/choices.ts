import { palette } from '../colour-field/palette.ts';

/** §9: 11 steps from 8 to 48 pixels. */
export const fontSizes = [8, 10, 12, 14, 16, 18, 20, 24, 30, 36, 48] as const;

/** §9: headings of levels 1 to 3. */
export const headingLevels = [1, 2, 3] as const;

/** §9: 30 colours of the palette that are readable on white. */
export const textColours = palette
  .filter(({ name }) => name === 'Base' || name === 'Dark')
  .flatMap(({ colours }) => colours)
  .slice(0, 30);
