import {
  addressOwner,
  bareAddress,
  blockDefaults,
  colourOr,
  type Design,
  isImagePath,
  isMergeTag,
  mailWidth,
  numberWithin,
  readableOn,
} from '@opensocial/contract/mail';
import { getSchema, mergeAttributes, Node } from '@tiptap/core';
import { TextAlign } from '@tiptap/extension-text-align';
import { Color, TextStyle } from '@tiptap/extension-text-style';
import { StarterKit } from '@tiptap/starter-kit';
import classes from './mail-schema.module.css';

/** An attribute that is written as data-…, so that it survives copying. */
const attribute = (name: string, value: string | number) => ({
  default: value,
  parseHTML: (element: HTMLElement) => {
    const held = element.dataset[name];
    if (held === undefined) return value;
    return typeof value === 'number' ? Number(held) : held;
  },
  renderHTML: (attributes: Record<string, unknown>) => ({ [`data-${name}`]: String(attributes[name]) }),
});

const MailDocument = Node.create({
  name: 'doc',
  topNode: true,
  content: 'block+',
  addAttributes: () => ({ background: { default: '', rendered: false } }),
});

/** A stretch of the mail on a ground of its own. Its text is dark or light as the ground asks. */
const Section = Node.create({
  name: 'section',
  group: 'block',
  content: 'block+',
  defining: true,
  addAttributes: () => ({ background: attribute('background', blockDefaults.sectionColour) }),
  parseHTML: () => [{ tag: 'div[data-block="section"]' }],
  renderHTML: ({ node, HTMLAttributes }) => {
    const ground = colourOr(node.attrs['background'], blockDefaults.sectionColour);
    const style = `background-color: ${ground}; color: ${readableOn(ground)}`;
    return ['div', mergeAttributes(HTMLAttributes, { 'data-block': 'section', class: classes['section'], style }), 0];
  },
});

const MailButton = Node.create({
  name: 'mailButton',
  group: 'block',
  atom: true,
  draggable: true,
  addAttributes: () => ({
    label: attribute('label', 'Button'),
    href: attribute('href', ''),
    colour: attribute('colour', blockDefaults.buttonColour),
  }),
  parseHTML: () => [{ tag: 'div[data-block="button"]' }],
  renderHTML: ({ node, HTMLAttributes }) => {
    const colour = colourOr(node.attrs['colour'], blockDefaults.buttonColour);
    const style = `background-color: ${colour}; color: ${readableOn(colour)}`;
    return [
      'div',
      mergeAttributes(HTMLAttributes, { 'data-block': 'button', class: classes['block'] }),
      ['span', { class: classes['button'], style }, String(node.attrs['label']) || '\u00a0'],
    ];
  },
});

const MailImage = Node.create({
  name: 'mailImage',
  group: 'block',
  atom: true,
  draggable: true,
  addAttributes: () => ({
    src: attribute('src', ''),
    alt: attribute('alt', ''),
    width: attribute('width', blockDefaults.imageWidth),
  }),
  parseHTML: () => [{ tag: 'div[data-block="image"]' }],
  renderHTML: ({ node, HTMLAttributes }) => {
    const width = numberWithin(node.attrs['width'], 16, mailWidth, blockDefaults.imageWidth);
    const { alt } = node.attrs;
    const src = String(node.attrs['src']);
    return [
      'div',
      mergeAttributes(HTMLAttributes, { 'data-block': 'image', class: classes['block'] }),
      ['img', { ...(isImagePath(src) && { src }), alt, width, class: classes['image'] }],
    ];
  },
});

const Spacer = Node.create({
  name: 'spacer',
  group: 'block',
  atom: true,
  draggable: true,
  addAttributes: () => ({ height: attribute('height', blockDefaults.spacerHeight) }),
  parseHTML: () => [{ tag: 'div[data-block="spacer"]' }],
  renderHTML: ({ node, HTMLAttributes }) => {
    const height = numberWithin(node.attrs['height'], 4, 200, blockDefaults.spacerHeight);
    const style = `height: ${height}px`;
    return ['div', mergeAttributes(HTMLAttributes, { 'data-block': 'spacer', class: classes['spacer'], style })];
  },
});

/** A tag as one piece: it is written, deleted and marked like a letter. */
const MergeTagNode = Node.create({
  name: 'mergeTag',
  group: 'inline',
  inline: true,
  atom: true,
  selectable: false,
  addAttributes: () => ({ name: attribute('name', '') }),
  parseHTML: () => [
    { tag: 'span[data-merge-tag]', getAttrs: (element) => (isMergeTag(element.dataset['name'] ?? '') ? null : false) },
  ],
  renderHTML: ({ node, HTMLAttributes }) => [
    'span',
    mergeAttributes(HTMLAttributes, { 'data-merge-tag': '', class: classes['tag'] }),
    `{${node.attrs['name']}}`,
  ],
  renderText: ({ node }) => `{${node.attrs['name']}}`,
});

/** Everything that a mail may be made of. */
export const mailExtensions = (origin: string) => [
  MailDocument,
  StarterKit.configure({
    document: false,
    blockquote: false,
    code: false,
    codeBlock: false,
    trailingNode: false,
    heading: { levels: [1, 2, 3] },
    link: {
      openOnClick: false,
      autolink: false,
      isAllowedUri: (address) => addressOwner(bareAddress(address), origin) !== 'none',
    },
  }),
  TextStyle,
  Color,
  TextAlign.configure({
    types: ['heading', 'paragraph', 'mailButton', 'mailImage'],
    alignments: ['left', 'center', 'right'],
  }),
  Section,
  MailButton,
  MailImage,
  Spacer,
  MergeTagNode,
];

/** Whether the editor can show a design as it is. */
export const fitsSchema = (design: Design): boolean => {
  try {
    getSchema(mailExtensions('')).nodeFromJSON(design).check();
    return true;
  } catch {
    return false;
  }
};
