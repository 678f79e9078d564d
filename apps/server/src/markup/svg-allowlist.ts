/**
 * The part of SVG that draws and does nothing else: no link, script, style sheet, animation, foreign content, filter or
 * copy of another element, and no address but that of an element in the same drawing.
 */
const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** Elements that draw. */
export const drawn = words('path rect circle ellipse line polyline polygon text');

/** Elements whose words are kept. */
export const texts = words('text tspan title desc');

/** Elements that another may refer to. */
export const targets = words('linearGradient radialGradient clipPath mask');

export const elements: ReadonlySet<string> = new Set([...words('svg g defs stop'), ...drawn, ...texts, ...targets]);

/** Attributes that refer to a clip or mask. */
export const references = words('clip-path mask');

const attributes = words(`
  viewBox preserveAspectRatio width height x y x1 y1 x2 y2 cx cy r rx ry fx fy fr dx dy d points pathLength transform
  fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin stroke-miterlimit
  stroke-dasharray stroke-dashoffset opacity color clip-path clip-rule mask display visibility vector-effect paint-order
  shape-rendering offset stop-color stop-opacity gradientUnits gradientTransform spreadMethod clipPathUnits maskUnits
  maskContentUnits font-family font-size font-style font-weight letter-spacing text-anchor dominant-baseline
`);

const functions = words('rgb rgba hsl hsla matrix translate scale rotate skewX skewY');

/** The value of an attribute as it may be written, or nothing: numbers, words, colours, and functions of a closed list. */
export const attributeOf = (name: string, given: string): string | undefined => {
  if (!attributes.has(name)) return undefined;
  const value = given.replaceAll(/\s+/g, ' ').trim();
  if (isReference(value)) return value;
  if (!/^[-+\w .,#%()]*$/.test(value)) return undefined;
  return [...value.matchAll(/([\w-]*) ?\(/g)].every(([, called = '']) => functions.has(called)) ? value : undefined;
};

export const isReference = (value: string): boolean => /^url\(#[\w.:-]+\)$/.test(value);
