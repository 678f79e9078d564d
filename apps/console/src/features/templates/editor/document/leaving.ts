import { GapCursor } from '@tiptap/pm/gapcursor';
import type { ResolvedPos } from '@tiptap/pm/model';
import { type EditorState, NodeSelection, Selection, TextSelection, type Transaction } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';

/** Inserts an empty paragraph and puts the cursor into it. */
export const addLine = (tr: Transaction, at: number): Transaction => {
  const line = tr.doc.type.schema.nodes['paragraph']?.create();
  if (!line) return tr;
  return tr
    .insert(at, line)
    .setSelection(TextSelection.create(tr.doc, at + 1))
    .scrollIntoView();
};

const isLast = ($pos: ResolvedPos, depth: number, direction: 1 | -1): boolean =>
  direction > 0 ? $pos.indexAfter(depth) === $pos.node(depth).childCount : $pos.index(depth) === 0;

/**
 * The depth at which the cursor continues up or down after the ends of lists, sections and columns. From any column the cursor
 * leaves all columns, because the next column is beside it and not below it.
 */
const levelBeyond = ($pos: ResolvedPos, from: number, direction: 1 | -1): number => {
  let depth = from;
  while (depth > 0 && isLast($pos, depth, direction)) depth -= $pos.node(depth).type.name === 'column' ? 2 : 1;
  return depth;
};

const crosses = ($pos: ResolvedPos, from: number, to: number, names: readonly string[]): boolean =>
  Array.from({ length: from - to }, (_, place) => $pos.node(from - place).type.name).some((name) =>
    names.includes(name),
  );

/**
 * Copies the cursor from the DOM to the state. After a click, browsers fire selectionchange with low priority, so on a busy page the
 * next key press arrives first and would act at the previous position.
 */
export const readCursor = (view: EditorView): void => {
  const { anchorNode, anchorOffset = 0, isCollapsed } = view.dom.ownerDocument.getSelection() ?? {};
  if (view.composing || !anchorNode || !isCollapsed || !view.dom.contains(anchorNode)) return;
  const { doc, selection, tr } = view.state;
  const pos = view.posAtDOM(anchorNode, anchorOffset, 1);
  const isRead = selection instanceof TextSelection && pos === selection.head;
  if (isRead || !doc.resolve(pos).parent.inlineContent) return;
  view.dispatch(tr.setSelection(TextSelection.create(doc, pos)));
};

/**
 * Handles the arrow keys at the first and last line of a section, of columns and of a list. The cursor moves to the next block
 * outside; if there is none, an empty paragraph is added, so that the cursor is never trapped.
 */
export const leave = (view: EditorView, direction: 1 | -1): Transaction | undefined => {
  const { state } = view;
  const { selection } = state;
  const isNode = selection instanceof NodeSelection;
  if (!isNode && !(selection instanceof TextSelection && selection.empty)) return undefined;
  if (!isNode && !view.endOfTextblock(direction > 0 ? 'down' : 'up')) return undefined;
  const $pos = direction > 0 ? selection.$to : selection.$from;
  const from = isNode ? $pos.depth : $pos.depth - 1;
  if (from < 0) return undefined;
  const level = levelBeyond($pos, from, direction);
  const isEnd = isLast($pos, level, direction);
  if (isEnd && from === level && !isNode) return undefined;
  const beyond = level === $pos.depth ? $pos.pos : direction > 0 ? $pos.after(level + 1) : $pos.before(level + 1);
  if (isEnd) return addLine(state.tr, beyond);
  if (!crosses($pos, from, level, ['section', 'column'])) return undefined;
  const found = Selection.findFrom(state.doc.resolve(beyond), direction);
  return found ? state.tr.setSelection(found).scrollIntoView() : undefined;
};

/** Enter on an empty last line moves the line out of its section or column. An only line stays and a new one is added outside. */
export const leaveByEnter = (state: EditorState): Transaction | undefined => {
  const { selection } = state;
  if (selection instanceof NodeSelection) return addLine(state.tr, selection.to);
  const { $from, empty } = selection;
  const container = $from.depth > 1 ? $from.node(-1) : undefined;
  if (!container || !empty || $from.parent.type.name !== 'paragraph' || $from.parent.content.size > 0) return undefined;
  if (!['section', 'column'].includes(container.type.name) || !isLast($from, $from.depth - 1, 1)) return undefined;
  const beyond = $from.after(container.type.name === 'column' ? $from.depth - 2 : $from.depth - 1);
  const { tr } = state;
  if (container.childCount > 1) tr.delete($from.before(), $from.after());
  return addLine(tr, tr.mapping.map(beyond));
};

/**
 * Handles a click on the empty background of the mail, a section or a column. Below the last block, the cursor goes to the last line,
 * which is added if the last block has no text. Between two blocks without text, it goes between them.
 */
export const handleBackgroundClick = (view: EditorView, event: MouseEvent): Transaction | undefined => {
  const { state } = view;
  const ground = event.target;
  const place = groundAt(view, ground);
  if (!place || event.button !== 0) return undefined;
  let at = place.start;
  let above: boolean | undefined;
  for (const child of place.children) {
    const dom = view.nodeDOM(at);
    if (dom instanceof HTMLElement && event.clientY < dom.getBoundingClientRect().top) {
      const isBetween = above === false && !child.isTextblock;
      return isBetween ? state.tr.setSelection(new GapCursor(state.doc.resolve(at))) : undefined;
    }
    if (dom instanceof HTMLElement && event.clientY < dom.getBoundingClientRect().bottom) return undefined;
    above = child.isTextblock;
    at += child.nodeSize;
  }
  return above ? state.tr.setSelection(TextSelection.create(state.doc, at - 1)) : addLine(state.tr, at);
};

const groundAt = (view: EditorView, ground: EventTarget | null) => {
  const { doc } = view.state;
  if (ground === view.dom) return { start: 0, children: doc.children };
  let found: { start: number; children: typeof doc.children } | undefined;
  doc.descendants((node, pos) => {
    if (['section', 'column'].includes(node.type.name) && view.nodeDOM(pos) === ground)
      found = { start: pos + 1, children: node.children };
    return !found && !node.isTextblock;
  });
  return found;
};
