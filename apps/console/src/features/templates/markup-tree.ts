import type { MarkupNode } from '@opensocial/contract/mail';
import { parseMarkup } from '../../patterns/markup/markup.ts';

/** Parses markup to the tree that the checks of the contract use. */
export const toMarkupTree = (html: string): MarkupNode => toNode(parseMarkup(html).body);

const toNode = (node: Node): MarkupNode => {
  if (node instanceof Text) return { type: 'text', value: node.data };
  if (!(node instanceof Element)) return { type: 'other' };
  return {
    type: 'element',
    tagName: node.localName,
    properties: Object.fromEntries([...node.attributes].map(({ name, value }) => [name, value])),
    children: [...node.childNodes].map(toNode),
  };
};
