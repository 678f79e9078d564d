import type { Node as ProseNode } from '@tiptap/pm/model';
import { NodeSelection, Selection, TextSelection, type Transaction } from '@tiptap/pm/state';

/** A block of the mail and where it begins. */
export type FoundBlock = { pos: number; node: ProseNode };

/** The nodes that contain blocks. */
const containers = new Set(['doc', 'section', 'column']);
const isContainer = (node: ProseNode): boolean => containers.has(node.type.name);

/** The block that is selected, or the one that the cursor is in. */
export const currentBlock = ({ selection }: { selection: Selection }): FoundBlock | undefined => {
  const { $from } = selection;
  if (selection instanceof NodeSelection && isContainer($from.parent))
    return { pos: selection.from, node: selection.node };
  for (let depth = $from.depth; depth > 0; depth -= 1)
    if (isContainer($from.node(depth - 1))) return { pos: $from.before(depth), node: $from.node(depth) };
  return undefined;
};

/** The section, columns and column around a position, from the inside out. */
export const ancestorsOf = (doc: ProseNode, pos: number): FoundBlock[] => {
  const $pos = doc.resolve(pos);
  return Array.from({ length: $pos.depth }, (_, place) => {
    const depth = $pos.depth - place;
    return { pos: $pos.before(depth), node: $pos.node(depth) };
  });
};

/** The block around another one: its section, or the columns that it is in. */
export const parentBlock = (doc: ProseNode, pos: number): FoundBlock | undefined =>
  ancestorsOf(doc, pos).find(({ node }) => node.type.name !== 'column');

const plainNames: Readonly<Record<string, string>> = {
  paragraph: 'Text',
  bulletList: 'List',
  orderedList: 'Numbered list',
  horizontalRule: 'Divider',
  spacer: 'Spacer',
  mailButton: 'Button',
  mailImage: 'Image',
  socialLinks: 'Social links',
  section: 'Section',
};

export const blockName = (node: ProseNode): string => {
  if (node.type.name === 'heading') return `Heading ${node.attrs['level']}`;
  if (node.type.name === 'columns') return `${node.childCount} columns`;
  return plainNames[node.type.name] ?? 'Block';
};

/** All blocks of a mail in the order of the document, those inside sections and columns too. */
export const allBlocks = (doc: ProseNode): FoundBlock[] => {
  const found: FoundBlock[] = [];
  doc.descendants((node, pos, parent) => {
    if (parent && isContainer(parent)) found.push({ pos, node });
    return isContainer(node) || node.type.name === 'columns';
  });
  return found;
};

/** Whether a container accepts a block at an index. Sections are allowed only at the top level, not inside another section. */
const canContain = (container: ProseNode, index: number, block: ProseNode): boolean =>
  isContainer(container) &&
  container.canReplaceWith(index, index, block.type) &&
  (block.type.name !== 'section' || container.type.name === 'doc');

/** The places where a block may go, in the order of the document; not inside itself. */
export const placesFor = (doc: ProseNode, { pos, node }: FoundBlock): number[] => {
  const places: number[] = [];
  const visit = (container: ProseNode, start: number) => {
    let at = start;
    for (let index = 0; index <= container.childCount; index += 1) {
      if (canContain(container, index, node)) places.push(at);
      if (index === container.childCount) return;
      const child = container.child(index);
      if (at !== pos && (isContainer(child) || child.type.name === 'columns')) visit(child, at + 1);
      at += child.nodeSize;
    }
  };
  visit(doc, 0);
  return places;
};

/** The next place above or below a block; undefined at the end of the mail. */
export const placeBeside = (doc: ProseNode, block: FoundBlock, direction: 1 | -1): number | undefined => {
  const places = placesFor(doc, block);
  return direction > 0
    ? places.find((place) => place > block.pos + block.node.nodeSize)
    : places.findLast((place) => place < block.pos);
};

const paragraphIn = (tr: Transaction): ProseNode | undefined => tr.doc.type.schema.nodes['paragraph']?.create();

/** Removes a block. If it is the only one of its container, an empty paragraph replaces it. */
const removeBlock = (tr: Transaction, { pos, node }: FoundBlock): void => {
  const line = paragraphIn(tr);
  if (tr.doc.resolve(pos).parent.childCount === 1 && line) tr.replaceWith(pos, pos + node.nodeSize, line);
  else tr.delete(pos, pos + node.nodeSize);
};

const isEmptyLine = (node: ProseNode | null): boolean => node?.type.name === 'paragraph' && node.content.size === 0;

/** Inserts a block and returns its position. In a section or column that contains only an empty paragraph, the block replaces it. */
const insertBlock = (tr: Transaction, place: number, node: ProseNode): number => {
  const $place = tr.doc.resolve(place);
  const { parent } = $place;
  if ($place.depth === 0 || parent.childCount > 1 || !isEmptyLine(parent.firstChild)) {
    tr.insert(place, node);
    return place;
  }
  tr.replaceWith($place.start(), $place.end(), node);
  return $place.start();
};

/** Moves a block to a place, and the selection with it. */
export const moveBlock = (tr: Transaction, block: FoundBlock, place: number): void => {
  const { pos, node } = block;
  const { selection } = tr;
  const [anchor, head] = [selection.anchor - pos, selection.head - pos];
  const isWhole = selection instanceof NodeSelection && selection.from === pos;
  const hasCursor =
    selection instanceof TextSelection && anchor > 0 && head > 0 && anchor < node.nodeSize && head < node.nodeSize;
  removeBlock(tr, block);
  const at = insertBlock(tr, tr.mapping.map(place, -1), node);
  if (hasCursor && !isWhole) tr.setSelection(TextSelection.create(tr.doc, at + anchor, at + head));
  else selectBlock(tr, at);
  tr.scrollIntoView();
};

/** Selects a block as a whole, or puts the cursor into its text. */
export const selectBlock = (tr: Transaction, pos: number): void => {
  const node = tr.doc.nodeAt(pos);
  if (!node) return;
  if (node.isTextblock || !NodeSelection.isSelectable(node)) tr.setSelection(Selection.near(tr.doc.resolve(pos + 1)));
  else tr.setSelection(NodeSelection.create(tr.doc, pos));
};

export const duplicateBlock = (tr: Transaction, { pos, node }: FoundBlock): void => {
  const at = pos + node.nodeSize;
  tr.insert(at, node.copy(node.content));
  selectBlock(tr, at);
  tr.scrollIntoView();
};

export const deleteBlock = (tr: Transaction, block: FoundBlock): void => {
  removeBlock(tr, block);
  const at = Math.min(block.pos, tr.doc.content.size);
  tr.setSelection(Selection.near(tr.doc.resolve(at), at === block.pos ? 1 : -1)).scrollIntoView();
};

/**
 * Adds a block where the cursor is: in place of an empty line, otherwise after the current block. A block that is not allowed
 * there, such as columns inside a column, goes after the block around it.
 */
export const addBlock = (tr: Transaction, node: ProseNode): void => {
  const $from = tr.selection.$from;
  const isLine = tr.selection.empty && $from.parent.type.name === 'paragraph' && $from.parent.content.size === 0;
  if (isLine && canContain($from.node(-1), $from.index(-1), node)) {
    const at = $from.before();
    tr.replaceWith(at, $from.after(), node);
    selectNew(tr, at);
    return;
  }
  const current = currentBlock(tr);
  let at = current ? current.pos + current.node.nodeSize : tr.doc.content.size;
  while (at < tr.doc.content.size) {
    const $at = tr.doc.resolve(at);
    if (canContain($at.parent, $at.index(), node)) break;
    at = $at.after();
  }
  tr.insert(at, node);
  selectNew(tr, at);
};

/** Selects a new block, so that its settings are shown. If it has text, the cursor goes into the text. */
const selectNew = (tr: Transaction, at: number): void => {
  const node = tr.doc.nodeAt(at);
  if (node?.isAtom) tr.setSelection(NodeSelection.create(tr.doc, at));
  else tr.setSelection(Selection.near(tr.doc.resolve(at + 1)));
  tr.scrollIntoView();
};

/** Changes settings of a block and keeps the selection, also when the whole block is selected. */
export const setBlock = (tr: Transaction, pos: number, changes: Readonly<Record<string, unknown>>): void => {
  const node = tr.doc.nodeAt(pos);
  if (!node) return;
  const isWhole = tr.selection instanceof NodeSelection && tr.selection.from === pos;
  tr.setNodeMarkup(pos, undefined, { ...node.attrs, ...changes });
  if (isWhole) tr.setSelection(NodeSelection.create(tr.doc, pos));
};

/** Adds an empty third column, or removes the third and appends its blocks to the second, so that nothing is lost. */
export const setColumnCount = (tr: Transaction, { pos, node }: FoundBlock, count: 2 | 3): void => {
  const line = paragraphIn(tr);
  const last = node.lastChild;
  if (node.childCount === count || !line || !last) return;
  const end = pos + node.nodeSize - 1;
  if (count === 3) {
    tr.insert(end, last.type.create(null, line));
    return;
  }
  const isBlank = last.childCount === 1 && isEmptyLine(last.firstChild);
  const start = end - last.nodeSize;
  tr.delete(start, end);
  if (!isBlank) tr.insert(start - 1, last.content);
};
