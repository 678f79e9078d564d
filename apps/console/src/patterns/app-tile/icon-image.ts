import { parseMarkup } from '../markup/markup.ts';

/**
 * Converts the SVG of an icon to an image address in a given colour. An SVG in an <img> runs no scripts or handlers
 * and loads nothing, so even markup that slipped through the server's sanitizer is harmless. Parsing executes nothing
 * either (the CSP reports a handler, no more). It is parsed as HTML, which tolerates a missing xmlns.
 */
export const iconImage = (markup: string, color: string): string | undefined => {
  const svg = parseMarkup(markup).querySelector('svg');
  if (!svg) return undefined;
  svg.setAttribute('color', color);
  // Stroke icons have fill="none". Shape icons mostly have no fill attribute and would be black.
  if (!svg.hasAttribute('fill')) svg.setAttribute('fill', color);
  return `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`;
};
