import type { MarkupNode } from '@opensocial/contract/mail';

/** Parses markup to the tree that the checks of the contract use. A parsed document loads and runs nothing. */
export const toMarkupTree = (html: string): MarkupNode =>
  toNode(new DOMParser().parseFromString(html, 'text/html').body);

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
