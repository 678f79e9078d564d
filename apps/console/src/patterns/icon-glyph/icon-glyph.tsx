import { useMemo } from 'react';
import { iconImage } from '../app-tile/icon-image.ts';
import classes from './icon-glyph.module.css';

type IconGlyphProps = { svg: string; size: number | string };

/**
 * An icon's markup in the text's colour. It is a mask and so only a picture: nothing in it becomes part of the page.
 */
export function IconGlyph({ svg, size }: IconGlyphProps) {
  const image = useMemo(() => iconImage(svg, '#000'), [svg]);
  if (!image) return null;
  return (
    <span
      className={classes.glyph}
      style={{ width: size, height: size, maskImage: `url("${image}")` }}
      aria-hidden="true"
    />
  );
}
