import type { Element, Node, Root } from '../markup/html.ts';

const blocks = new Set('table tr td th div p h1 h2 h3 h4 h5 h6 ul ol li blockquote center hr'.split(' '));

/** The same mail for whoever reads plain text: blocks apart, links with their addresses. */
export const plainText = (tree: Root): string =>
  tree.children
    .map(textOf)
    .join('')
    .replaceAll(/[ \u00a0]*\n[ \u00a0]*/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();

const textOf = (node: Node): string => {
  if (node.type === 'text') return node.value.replaceAll(/\s+/g, ' ');
  if (node.type !== 'element') return '';
  const { tagName } = node;
  if (tagName === 'br') return '\n';
  if (tagName === 'hr') return '\n\n---\n\n';
  if (tagName === 'img') return attribute(node, 'alt');
  const inside = node.children.map(textOf).join('');
  if (tagName === 'a') return withAddress(inside, attribute(node, 'href'));
  if (tagName === 'li') return `\n- ${inside.trim()}\n`;
  return blocks.has(tagName) ? `\n\n${inside}\n\n` : inside;
};

const attribute = ({ properties }: Element, name: string): string => {
  const value = properties[name];
  return typeof value === 'string' ? value : '';
};

const withAddress = (label: string, href: string): string => {
  if (href === '' || label.trim() === href) return label;
  return label.trim() === '' ? href : `${label.trim()}:\n${href}`;
};
