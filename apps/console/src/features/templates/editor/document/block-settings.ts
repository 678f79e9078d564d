import { blockDefaults, colourOr, paddingBelow, settingOf, textColourOn } from '@opensocial/contract/mail';
import { Extension } from '@tiptap/core';

type Attributes = Readonly<Record<string, unknown>>;

/** An attribute that is written as data-…, so that copying and pasting keeps it. */
export const attribute = (name: string, value: string | number) => ({
  default: value,
  parseHTML: (element: HTMLElement) => {
    const text = element.dataset[name];
    if (text === undefined) return value;
    return typeof value === 'number' ? Number(text) : text;
  },
  renderHTML: (attributes: Attributes) => ({ [`data-${name}`]: String(attributes[name]) }),
});

/** An optional setting with the style that shows it in the editor. null and '' stand for the default. */
const setting = (
  name: string,
  none: null | '',
  read: (text: string) => number | string,
  style: (attributes: Attributes) => string | undefined,
) => ({
  default: none,
  parseHTML: (element: HTMLElement) => {
    const text = element.dataset[name];
    return text === undefined ? none : read(text);
  },
  renderHTML: (attributes: Attributes) => {
    const shown = style(attributes);
    return {
      ...(attributes[name] !== none && { [`data-${name}`]: String(attributes[name]) }),
      ...(shown && { style: shown }),
    };
  },
});

const pixels = (name: 'above' | 'below', property: string) =>
  setting(name, null, Number, ({ [name]: value }) =>
    typeof value === 'number' ? `${property}: ${settingOf(value, name, 0)}px` : undefined,
  );

const spaces = { above: pixels('above', 'margin-top'), below: pixels('below', 'margin-bottom') };

const insideWith = (style: (padding: number) => string) =>
  setting('inside', null, Number, ({ inside: value, background }) => {
    const otherwise = colourOr(background, undefined) ? blockDefaults.inside : 0;
    const padding = settingOf(value, 'inside', otherwise);
    return typeof value === 'number' || padding > 0 ? style(padding) : undefined;
  });

const inside = insideWith((padding) => `padding: ${padding}px`);
/** The padding of columns, which takes into account that their last block has space below it already. */
const insideAround = insideWith((padding) => `padding: ${padding}px ${padding}px ${paddingBelow(padding)}px`);
/** Space outside a section, as custom properties: the stylesheet adds it to the margins that sections have in the editor. */
const sectionSpace = (name: 'above' | 'below') =>
  setting(name, null, Number, ({ [name]: value }) =>
    typeof value === 'number' ? `--${name}: ${settingOf(value, name, 0)}px` : undefined,
  );
const sectionSpaces = { above: sectionSpace('above'), below: sectionSpace('below') };

const sectionInside = setting('inside', null, Number, ({ inside: value }) => {
  const padding = settingOf(value, 'inside', 0);
  return typeof value === 'number' ? `padding: ${padding}px ${padding}px ${paddingBelow(padding)}px` : undefined;
});

const background = setting('background', '', String, ({ background: value }) => {
  const colour = colourOr(value, undefined);
  return colour && `background-color: ${colour}; color: ${textColourOn(colour)}`;
});

const ink = setting('ink', '', String, ({ ink: value }) => {
  const colour = colourOr(value, undefined);
  return colour && `color: ${colour}`;
});

const boxes = [
  'paragraph',
  'heading',
  'bulletList',
  'orderedList',
  'mailButton',
  'mailImage',
  'socialLinks',
  'columns',
];

/**
 * Space, padding, background and text colour of every block. The order of the attributes is the order of their styles: a chosen
 * text colour comes after the one that goes with the background.
 */
export const BlockSettings = Extension.create({
  name: 'blockSettings',
  addGlobalAttributes: () => [
    { types: boxes, attributes: { ...spaces, inside, background, ink } },
    { types: ['columns'], attributes: { ...spaces, inside: insideAround, background, ink } },
    { types: ['column'], attributes: { inside: insideAround, background, ink } },
    { types: ['section'], attributes: { ...sectionSpaces, inside: sectionInside, ink } },
    { types: ['horizontalRule'], attributes: { ...spaces, ink } },
  ],
});
