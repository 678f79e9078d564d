import { Tooltip, UnstyledButton } from '@mantine/core';
import {
  type Icon,
  IconAdjustments,
  IconArrowDown,
  IconArrowUp,
  IconCopy,
  IconGripVertical,
  IconSquareArrowUp,
  IconTrash,
} from '@tabler/icons-react';
import type { Editor } from '@tiptap/core';
import { useEditorState } from '@tiptap/react';
import { type KeyboardEvent, type PointerEvent, type RefObject, useState } from 'react';
import { type BlockAction, blockAction, blockShortcuts } from '../document/block-keys.ts';
import {
  allBlocks,
  blockName,
  currentBlock,
  type FoundBlock,
  parentBlock,
  placeBeside,
  selectBlock,
} from '../document/block-model.ts';
import { undoByKey } from '../document/undo-steps.ts';
import classes from './block-handles.module.css';
import { useBlockBoxes } from './use-block-boxes.ts';
import { useBlockDrag } from './use-block-drag.ts';

type BlockHandlesProps = {
  editor: Editor;
  stage: RefObject<HTMLElement | null>;
  /** The id of the bar. */
  id: string;
  onSettings: () => void;
};

const actions: readonly { action: BlockAction; label: string; icon: Icon; done: string }[] = [
  { action: 'up', label: 'Move up', icon: IconArrowUp, done: 'moved up' },
  { action: 'down', label: 'Move down', icon: IconArrowDown, done: 'moved down' },
  { action: 'duplicate', label: 'Duplicate', icon: IconCopy, done: 'duplicated' },
  { action: 'remove', label: 'Delete', icon: IconTrash, done: 'deleted' },
];

/**
 * The handles of the blocks. The current block has a bar with all actions, which the Tab key reaches after the text. The block
 * under the mouse has a grip for dragging.
 */
export function BlockHandles({ editor, stage, id, onSettings }: BlockHandlesProps) {
  const { drag, handlePointerDown } = useBlockDrag(editor);
  const { isShown, current, hovered, isBeside, dropLine, dragged } = useBlockBoxes(editor, stage, drag);
  const { announcement, act } = useBlockActions(editor);
  return (
    <>
      <span className="visually-hidden" role="status">
        {announcement}
      </span>
      {isShown && current && !drag && <div className={classes.outline} style={current.outline} aria-hidden="true" />}
      {isShown && current && (
        <div className={classes.track} data-beside={isBeside || undefined} style={current.bar}>
          <BlockBar
            editor={editor}
            id={id}
            isBeside={isBeside}
            isDragging={drag !== undefined}
            onAct={act}
            onGrip={handlePointerDown}
            onSettings={onSettings}
          />
        </div>
      )}
      {hovered && !drag && (
        <div
          className={classes.hoverGrip}
          style={hovered.style}
          aria-hidden="true"
          onPointerDown={(event) => handlePointerDown(event, hovered.block)}
        >
          <IconGripVertical size={16} stroke={1.8} />
        </div>
      )}
      {dragged && <div className={classes.dragged} style={dragged} aria-hidden="true" />}
      {dropLine && <div className={classes.drop} style={dropLine} aria-hidden="true" />}
    </>
  );
}

/** Runs an action on the current block and announces the result to screen readers. */
const useBlockActions = (editor: Editor) => {
  const [announcement, setAnnouncement] = useState('');
  const act = (action: BlockAction, done: string) => {
    const block = currentBlock(editor.state);
    const tr = block && blockAction(editor.state.tr, block, action);
    if (!tr) return;
    editor.view.dispatch(tr);
    const found = allBlocks(editor.state.doc);
    const place = found.findIndex(({ pos }) => pos === currentBlock(editor.state)?.pos) + 1;
    setAnnouncement(`${blockName(block.node)} ${done}. Block ${place} of ${found.length}.`);
    // The focus goes back to the text, because the bar now belongs to another block.
    if (action === 'remove') editor.view.focus();
  };
  return { announcement, act };
};

/** The names of the current block and its parent, and which actions are unavailable. */
const useCurrentBlock = (editor: Editor) =>
  useEditorState({
    editor,
    selector: () => {
      const { doc } = editor.state;
      const block = currentBlock(editor.state);
      const around = block && parentBlock(doc, block.pos);
      return {
        name: block && blockName(block.node),
        parent: around && blockName(around.node),
        off: {
          up: !block || placeBeside(doc, block, -1) === undefined,
          down: !block || placeBeside(doc, block, 1) === undefined,
          duplicate: false,
          remove: false,
        },
      };
    },
  });

const selectParent = (editor: Editor): void => {
  const block = currentBlock(editor.state);
  const around = block && parentBlock(editor.state.doc, block.pos);
  if (!around) return;
  const { tr } = editor.state;
  selectBlock(tr, around.pos);
  editor.view.dispatch(tr);
};

type BlockBarProps = {
  editor: Editor;
  id: string;
  isBeside: boolean;
  isDragging: boolean;
  onAct: (action: BlockAction, done: string) => void;
  onGrip: (event: PointerEvent<HTMLElement>, block: FoundBlock) => void;
  onSettings: () => void;
};

function BlockBar({ editor, id, isBeside, isDragging, onAct, onGrip, onSettings }: BlockBarProps) {
  const { name, parent, off } = useCurrentBlock(editor);
  const block = currentBlock(editor.state);
  const handleKeyDown = (event: KeyboardEvent) => {
    if (undoByKey(editor, event)) return;
    if (event.key === 'Escape') editor.view.focus();
    if (!event.altKey || !event.shiftKey || !['ArrowUp', 'ArrowDown'].includes(event.key)) return;
    event.preventDefault();
    const isUp = event.key === 'ArrowUp';
    onAct(isUp ? 'up' : 'down', isUp ? 'moved up' : 'moved down');
  };
  if (!name || !block) return null;
  return (
    <div
      id={id}
      className={classes.bar}
      data-beside={isBeside || undefined}
      data-dragging={isDragging || undefined}
      role="toolbar"
      tabIndex={-1}
      aria-orientation={isBeside ? 'vertical' : 'horizontal'}
      aria-label={`Block: ${name}`}
      onKeyDown={handleKeyDown}
    >
      <Tooltip label={`${name}: drag to move`} openDelay={400} position="right" withArrow>
        <UnstyledButton
          className={classes.grip}
          aria-label={`Drag ${name}`}
          onPointerDown={(event) => onGrip(event, block)}
          onClick={() => editor.view.focus()}
        >
          <IconGripVertical size={18} stroke={1.8} />
        </UnstyledButton>
      </Tooltip>
      {parent && (
        <BarButton
          label={`Select the ${parent.toLowerCase()}`}
          icon={IconSquareArrowUp}
          onClick={() => selectParent(editor)}
        />
      )}
      {actions.map(({ action, label, icon, done }) => (
        <BarButton
          key={action}
          label={label}
          icon={icon}
          keys={blockShortcuts[action].text}
          isOff={off[action]}
          onClick={() => onAct(action, done)}
        />
      ))}
      <BarButton label="Block settings" icon={IconAdjustments} onClick={onSettings} />
    </div>
  );
}

type BarButtonProps = { label: string; icon: Icon; keys?: string; isOff?: boolean; onClick: () => void };

function BarButton({ label, icon: ButtonIcon, keys, isOff = false, onClick }: BarButtonProps) {
  return (
    <Tooltip label={keys ? `${label} (${keys})` : label} openDelay={400} position="right" withArrow>
      <UnstyledButton
        className={classes.button}
        aria-label={label}
        aria-disabled={isOff}
        {...(keys && { 'aria-keyshortcuts': keys.replace('Up', 'ArrowUp').replace('Down', 'ArrowDown') })}
        onMouseDown={(event) => event.preventDefault()}
        onClick={onClick}
      >
        <ButtonIcon size={18} stroke={1.8} />
      </UnstyledButton>
    </Tooltip>
  );
}
