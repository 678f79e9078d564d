/** Two printable ASCII characters are never one grapheme. Loading the data of a segmenter takes long, and most names do not need it. */
const plainInitial = /^[ -~](?=[ -~]|$)/;

let graphemes: Intl.Segmenter | undefined;

/** The first grapheme of a name, so that a flag or a family emoji stays whole. */
export const initialOf = (name: string): string => {
  const text = name.trim().slice(0, 64).toUpperCase();
  const [plain] = plainInitial.exec(text) ?? [];
  if (plain !== undefined) return plain;
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  const [first] = graphemes.segment(text);
  return first?.segment ?? '?';
};
