const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The letter on a name's plate: the first one a reader sees, so a flag or a family emoji stays whole. */
export const initialOf = (name: string): string => {
  const [first] = graphemes.segment(name.trim().slice(0, 64).toUpperCase());
  return first?.segment ?? '?';
};
