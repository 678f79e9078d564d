const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The first grapheme of a name, so that a flag or a family emoji stays whole. */
export const initialOf = (name: string): string => {
  const [first] = graphemes.segment(name.trim().slice(0, 64).toUpperCase());
  return first?.segment ?? '?';
};
