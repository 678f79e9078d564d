import { colourOr } from './colours.ts';

/** A design as the editor stores it: a tree of blocks whose leaves are text, tags and marks. */
export type DesignNode = {
  type: string;
  attrs?: Readonly<Record<string, unknown>>;
  content?: readonly DesignNode[];
  marks?: readonly { type: string; attrs?: Readonly<Record<string, unknown>> }[];
  text?: string;
};

export type Design = DesignNode & { type: 'doc' };

export const isDesign = (value: unknown): value is Design =>
  typeof value === 'object' && value !== null && 'type' in value && value.type === 'doc';

export const mailWidth = 600;
/** The horizontal margin of the text within the 600 px. */
export const mailMargin = 32;

/** The defaults for block settings that a design does not contain. */
export const blockDefaults = {
  buttonColour: '#0f766e',
  sectionColour: '#eef1f5',
  spacerHeight: 24,
  imageWidth: mailWidth - 2 * mailMargin,
  columnGap: 24,
  /** The padding of a block with a background and no padding of its own. */
  inside: 16,
} as const;

/** Minimum and maximum of each setting in pixels. The editor offers this range, and the renderer clamps to it. */
export const settingRanges = {
  above: [0, 120],
  below: [0, 120],
  inside: [0, 64],
  gap: [0, 48],
  height: [4, 200],
  imageWidth: [16, mailWidth],
  buttonWidth: [80, mailWidth],
  sectionWidth: [240, mailWidth],
} as const satisfies Record<string, readonly [number, number]>;

export const numberWithin = (value: unknown, least: number, most: number, otherwise: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? Math.round(Math.min(most, Math.max(least, value))) : otherwise;

/** A setting of a block in pixels, within its range. */
export const settingOf = (value: unknown, name: keyof typeof settingRanges, otherwise: number): number => {
  const [least, most] = settingRanges[name];
  return numberWithin(value, least, most, otherwise);
};

/** The settings that every block has: space above and below it, padding inside it, its background and its text colour. */
export const boxOf = (attrs: DesignNode['attrs'], [above, below]: readonly [number, number]) => {
  const background = colourOr(attrs?.['background'], undefined);
  return {
    above: settingOf(attrs?.['above'], 'above', above),
    below: settingOf(attrs?.['below'], 'below', below),
    inside: settingOf(attrs?.['inside'], 'inside', background ? blockDefaults.inside : 0),
    background,
    ink: colourOr(attrs?.['ink'], undefined),
  };
};

/** Padding that leaves at least 48 px for the content, enough for three columns of 16 px. */
export const paddingWithin = (inside: number, width: number): number =>
  Math.max(0, Math.min(inside, Math.floor((width - 48) / 2)));

/** The padding below the last block of a section or column, which already has 16 px below it. */
export const paddingBelow = (inside: number): number => Math.max(0, inside - 16);

const columnLayouts = ['equal', 'narrow-left', 'narrow-right'] as const;
export type ColumnLayout = (typeof columnLayouts)[number];

/** The layout of the columns. Only two columns can have different widths. */
export const layoutOf = (value: unknown, count: number): ColumnLayout =>
  (count === 2 ? columnLayouts.find((layout) => layout === value) : undefined) ?? 'equal';

/** The largest gap between columns, up to `gap`, that leaves each of them 16 px. */
export const gapWithin = (gap: number, available: number, count: number): number =>
  count < 2 ? 0 : Math.max(0, Math.min(gap, Math.floor((available - 16 * count) / (count - 1))));

/** The widths of columns in pixels, without the gaps between them. */
export const columnWidths = (available: number, count: number, gap: number, layout: ColumnLayout): number[] => {
  const room = available - gap * (count - 1);
  if (layout === 'equal') return Array.from({ length: count }, () => Math.floor(room / count));
  const narrow = Math.max(16, Math.floor(room / 3));
  return layout === 'narrow-left' ? [narrow, room - narrow] : [room - narrow, narrow];
};
