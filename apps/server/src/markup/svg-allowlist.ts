/**
 * The subset of SVG that only draws: no links, scripts, stylesheets, animations, foreign content, filters or copies of
 * other elements, and no references except to elements of the same drawing.
 */
const wordSet = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** Elements that draw. */
export const drawingElements = wordSet('path rect circle ellipse line polyline polygon text');

/** Elements whose text is kept. */
export const textElements = wordSet('text tspan title desc');

/** Elements that other elements may refer to. */
export const referencedElements = wordSet('linearGradient radialGradient clipPath mask');

export const allowedElements: ReadonlySet<string> = new Set([
  ...wordSet('svg g defs stop'),
  ...drawingElements,
  ...textElements,
  ...referencedElements,
]);

/** Attributes that refer to a clip path or mask. */
export const referenceAttributes = wordSet('clip-path mask');

const attributes = wordSet(`
  viewBox preserveAspectRatio width height x y x1 y1 x2 y2 cx cy r rx ry fx fy fr dx dy d points pathLength transform
  fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin stroke-miterlimit
  stroke-dasharray stroke-dashoffset opacity color clip-path clip-rule mask display visibility vector-effect paint-order
  shape-rendering offset stop-color stop-opacity gradientUnits gradientTransform spreadMethod clipPathUnits maskUnits
  maskContentUnits font-family font-size font-style font-weight letter-spacing text-anchor dominant-baseline
`);

const functions = wordSet('rgb rgba hsl hsla matrix translate scale rotate skewX skewY');

/** Returns the value of an attribute if it is allowed: numbers, words, colours, and functions of a closed list. */
export const attributeOf = (name: string, given: string): string | undefined => {
  if (!attributes.has(name)) return undefined;
  const value = given.replaceAll(/\s+/g, ' ').trim();
  if (isReference(value)) return value;
  if (!/^[-+\w .,#%()]*$/.test(value)) return undefined;
  return [...value.matchAll(/([\w-]*) ?\(/g)].every(([, called = '']) => functions.has(called)) ? value : undefined;
};

export const isReference = (value: string): boolean => /^url\(#[\w.:-]+\)$/.test(value);
