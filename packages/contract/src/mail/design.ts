/** A design as the editor keeps it: a tree of blocks, with text, tags and marks at its ends. */
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

/** What a block is where its design does not say. */
export const blockDefaults = {
  buttonColour: '#0f766e',
  sectionColour: '#eef1f5',
  spacerHeight: 24,
  imageWidth: 536,
} as const;

const colour = /^#[0-9a-f]{6}$/i;

export const colourOr = <T extends string | undefined>(value: unknown, otherwise: T): string | T =>
  typeof value === 'string' && colour.test(value) ? value : otherwise;

export const numberWithin = (value: unknown, least: number, most: number, otherwise: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? Math.round(Math.min(most, Math.max(least, value))) : otherwise;

/** Ink on a light colour, white on a dark one: whichever stands out more (WCAG 2.2). */
export const readableOn = (background: string): string => {
  const channel = (at: number) => {
    const value = Number.parseInt(background.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  const luminance = 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
  return luminance > 0.18 ? '#0b1220' : '#ffffff';
};
