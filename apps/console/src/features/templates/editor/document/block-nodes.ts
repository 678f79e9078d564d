import {
  blockDefaults,
  colourOr,
  isImagePath,
  isMergeTag,
  mailWidth,
  numberWithin,
  readableOn,
  settingOf,
  settingRanges,
  socialAddress,
  socialLinksOf,
  socialNetworks,
  textColourOn,
} from '@opensocial/contract/mail';
import { mergeAttributes, Node } from '@tiptap/core';
import { attribute } from './block-settings.ts';
import classes from './mail-schema.module.css';

/** A part of the mail with its own background. Its text is dark or light, depending on the background, unless a colour was chosen. */
export const Section = Node.create({
  name: 'section',
  group: 'block',
  content: 'block+',
  defining: true,
  // Backspace and Delete at the edge of a section do not join it with its neighbours.
  isolating: true,
  addAttributes: () => ({
    background: attribute('background', blockDefaults.sectionColour),
    width: attribute('width', mailWidth),
  }),
  parseHTML: () => [{ tag: 'div[data-block="section"]' }],
  renderHTML: ({ node, HTMLAttributes }) => {
    const ground = colourOr(node.attrs['background'], blockDefaults.sectionColour);
    const colour = colourOr(node.attrs['ink'], textColourOn(ground));
    const width = settingOf(node.attrs['width'], 'sectionWidth', mailWidth);
    const narrow = width < mailWidth ? `; width: ${width}px; max-width: 100%; margin-inline: auto` : '';
    const style = `background-color: ${ground}; color: ${colour}${narrow}`;
    return ['div', mergeAttributes(HTMLAttributes, { 'data-block': 'section', class: classes['section'], style }), 0];
  },
});

export const MailButton = Node.create({
  name: 'mailButton',
  group: 'block',
  atom: true,
  draggable: true,
  addAttributes: () => ({
    label: attribute('label', 'Button'),
    href: attribute('href', ''),
    colour: attribute('colour', blockDefaults.buttonColour),
    /** In pixels; 0 means as wide as the label. */
    width: attribute('width', 0),
  }),
  parseHTML: () => [{ tag: 'div[data-block="button"]' }],
  renderHTML: ({ node, HTMLAttributes }) => {
    const colour = colourOr(node.attrs['colour'], blockDefaults.buttonColour);
    const width = numberWithin(node.attrs['width'], 0, mailWidth, 0);
    const wide = width >= settingRanges.buttonWidth[0] ? `; width: ${width}px; padding-inline: 12px` : '';
    const style = `background-color: ${colour}; color: ${colourOr(node.attrs['ink'], readableOn(colour))}${wide}`;
    return [
      'div',
      mergeAttributes(HTMLAttributes, { 'data-block': 'button', class: classes['block'] }),
      ['span', { class: classes['button'], style }, String(node.attrs['label']) || '\u00a0'],
    ];
  },
});

export const MailImage = Node.create({
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
    const width = settingOf(node.attrs['width'], 'imageWidth', blockDefaults.imageWidth);
    const { alt } = node.attrs;
    const src = String(node.attrs['src']);
    return [
      'div',
      mergeAttributes(HTMLAttributes, { 'data-block': 'image', class: classes['block'] }),
      ['img', { ...(isImagePath(src) && { src }), alt, width, class: classes['image'] }],
    ];
  },
});

export const Spacer = Node.create({
  name: 'spacer',
  group: 'block',
  atom: true,
  draggable: true,
  addAttributes: () => ({ height: attribute('height', blockDefaults.spacerHeight) }),
  parseHTML: () => [{ tag: 'div[data-block="spacer"]' }],
  renderHTML: ({ node, HTMLAttributes }) => {
    const height = settingOf(node.attrs['height'], 'height', blockDefaults.spacerHeight);
    const style = `height: ${height}px`;
    return ['div', mergeAttributes(HTMLAttributes, { 'data-block': 'spacer', class: classes['spacer'], style })];
  },
});

const parseLinks = (text: string | undefined): unknown => {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return [];
  }
};

/** Links to social networks, as badges or as plain links. A link without a valid address has a dashed outline: the mail omits it. */
export const SocialLinks = Node.create({
  name: 'socialLinks',
  group: 'block',
  atom: true,
  draggable: true,
  addAttributes: () => ({
    links: {
      default: [],
      parseHTML: (element: HTMLElement) => socialLinksOf(parseLinks(element.dataset['links'])),
      renderHTML: ({ links }: Record<string, unknown>) => ({ 'data-links': JSON.stringify(socialLinksOf(links)) }),
    },
    look: attribute('look', 'badges'),
    colour: attribute('colour', ''),
  }),
  parseHTML: () => [{ tag: 'div[data-block="social"]' }],
  renderHTML: ({ node, HTMLAttributes }) => {
    const own = colourOr(node.attrs['colour'], undefined);
    const isPlain = node.attrs['look'] === 'text';
    const links = socialLinksOf(node.attrs['links']).map(({ network, url }) => {
      const { name, colour } = socialNetworks[network];
      const ground = own ?? colour;
      const style = isPlain ? own && `color: ${own}` : `background-color: ${ground}; color: ${readableOn(ground)}`;
      return [
        'span',
        {
          class: classes[isPlain ? 'link' : 'badge'],
          ...(style && { style }),
          ...(socialAddress(url) === undefined && { 'data-missing': '' }),
        },
        name,
      ] as const;
    });
    const shown = links.length > 0 ? links : [['span', { class: classes['hint'] }, 'No links yet'] as const];
    return ['div', mergeAttributes(HTMLAttributes, { 'data-block': 'social', class: classes['social'] }), ...shown];
  },
});

/** A merge tag as an inline atom, which is inserted, deleted and formatted like a single character. */
export const MergeTagNode = Node.create({
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
