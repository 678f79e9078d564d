import { addressOwner, bareAddress } from './addresses.ts';
import { colourOr, linkColourOn, textColourOn } from './colours.ts';
import type { DesignNode } from './design.ts';
import { fillAddress, fillAttribute, fillText, isMergeTag, type MailValues } from './tags.ts';

/** `origin` is our own origin, for images and links to us. With values, tags are filled in; without, they are kept. */
export type RenderOptions = { origin: string; values?: MailValues };

export type Context = RenderOptions & {
  /** The background behind the block, and the text colour that was chosen for it, if any. */
  ground: string;
  ink: string | undefined;
  /** The available width in pixels. */
  width: number;
  isColumn: boolean;
};

export const textColour = ({ ground, ink: chosen }: Context): string => chosen ?? textColourOn(ground);

export const renderInline = (nodes: readonly DesignNode[], context: Context): string =>
  nodes.map((node) => renderMarks(node, context)).join('');

const markElements: Readonly<Record<string, string>> = { bold: 'strong', italic: 'em', underline: 'u', strike: 's' };

const renderMarks = (node: DesignNode, context: Context): string => {
  let inner = renderLeaf(node, context);
  if (inner === '') return '';
  const marks = node.marks ?? [];
  for (const { type } of marks) {
    const name = markElements[type];
    if (name) inner = `<${name}>${inner}</${name}>`;
  }
  const colour = colourOr(marks.find(({ type }) => type === 'textStyle')?.attrs?.['color'], undefined);
  if (colour) inner = `<span style="color:${colour}">${inner}</span>`;
  const href = writeAddress(marks.find(({ type }) => type === 'link')?.attrs?.['href'], context);
  const linkColour = linkColourOn(context.ground, textColour(context));
  return href ? `<a href="${href}" style="color:${linkColour};text-decoration:underline">${inner}</a>` : inner;
};

const renderLeaf = (node: DesignNode, context: Context): string => {
  if (node.type === 'hardBreak') return '<br>';
  if (node.type === 'text') return writeText(node.text ?? '', context);
  const name = textOf(node.attrs?.['name']);
  return node.type === 'mergeTag' && isMergeTag(name) ? writeText(`{${name}}`, context) : '';
};

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

export const writeText = (text: string, { values }: Context): string =>
  escapeText(values ? fillText(text, values) : text);

export const writeAttribute = (text: string, { values }: Context): string =>
  escapeText(values ? fillAttribute(text, values) : text);

export const writeAddress = (given: unknown, { origin, values }: Context): string => {
  const address = bareAddress(textOf(given));
  if (addressOwner(address, origin) === 'none') return '';
  return escapeText(values ? fillAddress(address, values) : address);
};

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
export const escapeText = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
