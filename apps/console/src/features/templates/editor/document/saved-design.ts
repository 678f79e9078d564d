import { SavedTemplate } from '@opensocial/contract';
import { colourOr, type Design, type DesignNode, isDesign, isMergeTag, splitTags } from '@opensocial/contract/mail';
import { parseMarkup } from '../../../../patterns/markup/markup.ts';
import { fitsSchema } from './mail-schema.ts';

/** An empty design. */
const blank: Design = { type: 'doc', content: [{ type: 'paragraph' }] };

/** §4: reads a saved design, an old text as one text block, or an empty design. */
export const readSaved = (saved: string): Design => {
  if (saved.trim() === '') return blank;
  const template = SavedTemplate.safeParse(parse(saved));
  if (!template.success) return textBlock(wordsOf(saved));
  const { design, html } = template.data;
  return isDesign(design) && fitsSchema(design) ? { ...clean(design), type: 'doc' } : textBlock(wordsOf(html));
};

type Attributes = NonNullable<DesignNode['attrs']>;

/** TipTap writes these two attributes into a style unchecked, and a style could load a resource. */
const isClean = ([name, value]: [string, unknown]): boolean => {
  if (name === 'color') return colourOr(value, undefined) !== undefined;
  return name !== 'textAlign' || value === 'left' || value === 'center' || value === 'right';
};

const cleanAttributes = <T extends { attrs?: Attributes }>(part: T): T =>
  part.attrs ? { ...part, attrs: Object.fromEntries(Object.entries(part.attrs).filter(isClean)) } : part;

const clean = (node: DesignNode): DesignNode => ({
  ...cleanAttributes(node),
  ...(node.marks && { marks: node.marks.map(cleanAttributes) }),
  ...(node.content && { content: node.content.map(clean) }),
});

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The visible text. A parsed document loads and runs nothing. */
const wordsOf = (text: string): string => {
  if (!/<\w/.test(text)) return text;
  const { body } = parseMarkup(text);
  for (const hidden of body.querySelectorAll('script, style, title')) hidden.remove();
  return (body.textContent ?? '')
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/\s*\n\s*/g, '\n')
    .trim();
};

const textBlock = (text: string): Design => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: text.split('\n').flatMap(lineOf) }],
});

const lineOf = (line: string, place: number): DesignNode[] => [
  ...(place > 0 ? [{ type: 'hardBreak' }] : []),
  ...splitTags(line).map((piece) =>
    'tag' in piece && isMergeTag(piece.tag)
      ? { type: 'mergeTag', attrs: { name: piece.tag } }
      : { type: 'text', text: piece.text },
  ),
];
