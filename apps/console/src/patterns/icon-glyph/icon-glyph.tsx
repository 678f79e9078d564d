import { useComputedColorScheme } from '@mantine/core';
import { useMemo } from 'react';
import { iconImage } from '../app-tile/icon-image.ts';
import classes from './icon-glyph.module.css';

type IconGlyphProps = { svg: string; size: number | string };

/** The values of the token `--text`. CSS variables do not reach into an image. */
export const inks = { light: '#0b1220', dark: '#e8edf5' };

/** The SVG of an icon as an image in the text colour. As an image it cannot run scripts or affect the page. */
export function IconGlyph({ svg, size }: IconGlyphProps) {
  const ink = inks[useComputedColorScheme('light')];
  const image = useMemo(() => iconImage(svg, ink), [svg, ink]);
  // Not a CSS mask, which the browser would paint again in every frame of a scrolling grid.
  return image && <img className={classes.glyph} src={image} alt="" style={{ width: size, height: size }} />;
}
