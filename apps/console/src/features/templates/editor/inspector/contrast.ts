import {
  blockDefaults,
  colourOr,
  contrastOf,
  linkColourOn,
  readableOn,
  socialLinksOf,
  textColourOn,
} from '@opensocial/contract/mail';
import type { Node as ProseNode } from '@tiptap/pm/model';
import { ancestorsOf } from '../document/block-model.ts';

/** The background at a place of the mail, and the text colour that was chosen for it. */
type Ground = { background: string; ink: string | undefined };

const white: Ground = { background: '#ffffff', ink: undefined };

/** The background and text colour inside a block, by the rules of the renderer: a block with its own background does not inherit a text colour. */
const within = (ground: Ground, { type, attrs }: ProseNode): Ground => {
  const otherwise = type.name === 'section' ? blockDefaults.sectionColour : undefined;
  const background = colourOr(attrs['background'], otherwise);
  const chosen = colourOr(attrs['ink'], undefined);
  return { background: background ?? ground.background, ink: chosen ?? (background ? undefined : ground.ink) };
};

const coloursOfText = (node: ProseNode, { background, ink }: Ground): string[] => {
  const text = ink ?? textColourOn(background);
  const colours: string[] = [];
  node.forEach((child) => {
    const own = colourOr(child.marks.find(({ type }) => type.name === 'textStyle')?.attrs['color'], undefined);
    const isLink = child.marks.some(({ type }) => type.name === 'link');
    colours.push(own ?? (isLink ? linkColourOn(background, text) : text));
  });
  return colours;
};

/** The text colours of a block with the background of each. */
const pairsOf = (node: ProseNode, ground: Ground): (readonly [string, string])[] => {
  const inner = within(ground, node);
  if (node.isTextblock) return coloursOfText(node, inner).map((colour) => [colour, inner.background]);
  if (node.type.name === 'mailButton') {
    const colour = colourOr(node.attrs['colour'], blockDefaults.buttonColour);
    return [[colourOr(node.attrs['ink'], readableOn(colour)), colour]];
  }
  if (node.type.name === 'socialLinks') {
    const colour = colourOr(node.attrs['colour'], undefined);
    const isShown = colour && node.attrs['look'] === 'text' && socialLinksOf(node.attrs['links']).length > 0;
    return isShown ? [[colour, inner.background]] : [];
  }
  return node.children.flatMap((child) => pairsOf(child, inner));
};

/** The lowest contrast of text and background in a block, as it is in the mail; undefined where there is no text. */
export const lowestContrast = (doc: ProseNode, pos: number): number | undefined => {
  const node = doc.nodeAt(pos);
  if (!node) return undefined;
  const ground = ancestorsOf(doc, pos).reduceRight((outer, { node: around }) => within(outer, around), white);
  const ratios = pairsOf(node, ground).map(([text, background]) => contrastOf(text, background));
  return ratios.length > 0 ? Math.min(...ratios) : undefined;
};
