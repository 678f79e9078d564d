/** Markup as a tree. hast nodes have this shape, and a DOM can be converted to it. */
export type MarkupNode = {
  readonly type: string;
  readonly value?: string;
  readonly tagName?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly children?: readonly MarkupNode[];
};

const blocks = new Set('table tr td th div p h1 h2 h3 h4 h5 h6 ul ol li blockquote center hr'.split(' '));

/** The plain-text part of a mail: blocks are separated by blank lines, and each link is followed by its address. */
export const plainText = (tree: MarkupNode): string =>
  (tree.children ?? [])
    .map(textOf)
    .join('')
    .replaceAll(/[ \u00a0]*\n[ \u00a0]*/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();

const textOf = (node: MarkupNode): string => {
  // Collapse only the whitespace that HTML collapses. Other invisible characters stay, as in the HTML part.
  if (node.type === 'text') return (node.value ?? '').replaceAll(/[ \t\n\r\f]+/g, ' ');
  if (node.type !== 'element') return '';
  const { tagName = '' } = node;
  if (tagName === 'br') return '\n';
  if (tagName === 'hr') return '\n\n---\n\n';
  if (tagName === 'img') return attribute(node, 'alt');
  const inside = (node.children ?? []).map(textOf).join('');
  if (tagName === 'a') return withAddress(inside, attribute(node, 'href'));
  if (tagName === 'li') return `\n- ${inside.trim()}\n`;
  return blocks.has(tagName) ? `\n\n${inside}\n\n` : inside;
};

const attribute = ({ properties }: MarkupNode, name: string): string => {
  const value = properties?.[name];
  return typeof value === 'string' ? value : '';
};

/**
 * Puts the address on a line of its own. Mail programs turn plain text into links, and adjacent text would become part
 * of the address; the address of the password page, with its token, could become part of another link.
 */
const withAddress = (label: string, href: string): string => {
  if (href === '' || label.trim() === href) return label;
  return label.trim() === '' ? `\n${href}\n` : `${label.trim()}:\n${href}\n`;
};
