import type { Editor } from '@tiptap/core';
import { allBlocks, type FoundBlock, placesFor } from './block-model.ts';

/** A rectangle in the window. */
export type Box = { top: number; left: number; right: number; bottom: number };

export const boxOfBlock = ({ view }: Editor, pos: number): Box | undefined => {
  const dom = view.nodeDOM(pos);
  return dom instanceof HTMLElement ? dom.getBoundingClientRect() : undefined;
};

const contains = ({ top, left, right, bottom }: Box, x: number, y: number): boolean =>
  x >= left && x <= right && y >= top && y <= bottom;

/** The width of the area left of a block that shows its handle. */
export const handleWidth = 28;

/** The innermost block under the mouse. The area of its handle counts as part of the block. */
export const blockUnder = (editor: Editor, x: number, y: number): FoundBlock | undefined =>
  allBlocks(editor.state.doc).findLast(({ pos }) => {
    const box = boxOfBlock(editor, pos);
    return (
      box &&
      contains({ ...box, top: box.top, right: box.right, bottom: box.bottom, left: box.left - handleWidth }, x, y)
    );
  });

/** A container without its upper and lower edge. Drops on the edge go before or after the container. */
const innerPart = (box: Box): Box => {
  const edge = Math.min(12, (box.bottom - box.top) / 4);
  return { left: box.left, right: box.right, top: box.top + edge, bottom: box.bottom - edge };
};

/** A position where a block can be dropped, with the line that shows it. */
export type DropPlace = { place: number; y: number; left: number; right: number };

/** The drop position nearest to the mouse, in the innermost container under the mouse that accepts the block. */
export const dropPlaceAt = (editor: Editor, block: FoundBlock, x: number, y: number): DropPlace | undefined => {
  const { doc } = editor.state;
  const mail = editor.view.dom.getBoundingClientRect();
  const candidates = placesFor(doc, block).map((place) => {
    const $place = doc.resolve(place);
    const box = ($place.depth === 0 ? undefined : boxOfBlock(editor, $place.before())) ?? mail;
    const above = $place.nodeBefore && boxOfBlock(editor, place - $place.nodeBefore.nodeSize);
    const below = $place.nodeAfter && boxOfBlock(editor, place);
    const line = above && below ? (above.bottom + below.top) / 2 : (above?.bottom ?? below?.top ?? box.top);
    return {
      place,
      y: line,
      left: box.left,
      right: box.right,
      depth: $place.depth,
      isUnder: $place.depth > 0 && contains(innerPart(box), x, y),
    };
  });
  const deepest = Math.max(0, ...candidates.filter(({ isUnder }) => isUnder).map(({ depth }) => depth));
  const within = candidates.filter(({ depth, isUnder }) => depth === deepest && (isUnder || depth === 0));
  return within.toSorted((one, other) => Math.abs(one.y - y) - Math.abs(other.y - y))[0];
};
