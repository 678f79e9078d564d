import { useComputedColorScheme } from '@mantine/core';
import { useMemo } from 'react';
import { iconImage } from '../app-tile/icon-image.ts';
import classes from './icon-glyph.module.css';

type IconGlyphProps = { svg: string; size: number | string };

/** `--text` of the tokens, which an image does not know. */
export const inks = { light: '#0b1220', dark: '#e8edf5' };

/** An icon's markup as an image in the colour of text: nothing in it becomes part of the page. */
export function IconGlyph({ svg, size }: IconGlyphProps) {
  const ink = inks[useComputedColorScheme('light')];
  const image = useMemo(() => iconImage(svg, ink), [svg, ink]);
  // Not a mask, which every frame of a scrolling grid would draw anew.
  return image && <img className={classes.glyph} src={image} alt="" style={{ width: size, height: size }} />;
}
