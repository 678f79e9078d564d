import type { Editor } from '@tiptap/core';
import { type CSSProperties, type RefObject, useEffect, useState } from 'react';
import { currentBlock, type FoundBlock } from '../document/block-model.ts';
import { type Box, blockUnder, boxOfBlock, handleWidth } from '../document/block-places.ts';
import type { Drag } from './use-block-drag.ts';

type Boxes = { stage: Box; mail: Box; current: Box | undefined; hovered: { block: FoundBlock; box: Box } | undefined };

const barSize = { width: 40, length: 300 };

/** The positions of the handles. Blocks are measured in the window; the results are relative to the stage around the mail. */
export const useBlockBoxes = (editor: Editor, stage: RefObject<HTMLElement | null>, drag: Drag | undefined) => {
  const [boxes, setBoxes] = useState<Boxes>();
  const [isShown, setShown] = useState(editor.isFocused);

  useEffect(() => {
    const element = stage.current;
    if (!element) return undefined;
    let mouse: { x: number; y: number } | undefined;
    let frame = 0;
    const measure = () => {
      frame = 0;
      if (editor.isDestroyed) return;
      const current = currentBlock(editor.state);
      const block = mouse && blockUnder(editor, mouse.x, mouse.y);
      const box = block && boxOfBlock(editor, block.pos);
      setBoxes({
        stage: element.getBoundingClientRect(),
        mail: editor.view.dom.getBoundingClientRect(),
        current: current && boxOfBlock(editor, current.pos),
        hovered: block && box && block.pos !== current?.pos ? { block, box } : undefined,
      });
    };
    const schedule = () => {
      frame ||= requestAnimationFrame(measure);
    };
    const handleMove = ({ clientX, clientY, pointerType }: PointerEvent) => {
      mouse = pointerType === 'mouse' ? { x: clientX, y: clientY } : undefined;
      schedule();
    };
    const handleLeave = () => {
      mouse = undefined;
      schedule();
    };
    const handleFocus = () => setShown(true);
    // Blocks move when an image loads or the window is resized.
    const observer = new ResizeObserver(schedule);
    observer.observe(element);
    observer.observe(editor.view.dom);
    element.addEventListener('pointermove', handleMove);
    element.addEventListener('pointerleave', handleLeave);
    editor.on('transaction', schedule);
    editor.on('focus', handleFocus);
    schedule();
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      element.removeEventListener('pointermove', handleMove);
      element.removeEventListener('pointerleave', handleLeave);
      editor.off('transaction', schedule);
      editor.off('focus', handleFocus);
    };
  }, [editor, stage]);

  if (!boxes) return { isShown: false as const };
  const { stage: room, mail, current, hovered } = boxes;
  const inStage = ({ top, left, right, bottom }: Box): CSSProperties => ({
    top: top - room.top,
    left: left - room.left,
    width: right - left,
    height: bottom - top,
  });
  const isBeside = mail.left - room.left >= barSize.width + 12;
  const draggedBox = drag?.drop && boxOfBlock(editor, drag.block.pos);
  return {
    isShown,
    isBeside,
    current: current && {
      outline: inStage(current),
      bar: isBeside ? besidePlace(boxes, current) : abovePlace,
    },
    hovered: hovered && {
      block: hovered.block,
      style: {
        top: hovered.box.top - room.top,
        left: Math.max(hovered.box.left - handleWidth + 2, mail.left + 4) - room.left,
      },
    },
    dragged: draggedBox && inStage(draggedBox),
    dropLine: drag?.drop && {
      top: drag.drop.y - room.top - 2,
      left: drag.drop.left - room.left,
      width: drag.drop.right - drag.drop.left,
    },
  };
};

/** The bar is left of the mail where there is room, so that it covers no text. */
const besidePlace = ({ stage, mail }: Boxes, current: Box): CSSProperties => ({
  top: Math.max(8, Math.min(current.top, stage.bottom - barSize.length) - stage.top),
  left: mail.left - stage.left - barSize.width - 8,
});

/** On narrow screens the bar has a place of its own above the mail, because beside a block it would cover the next one. */
const abovePlace: CSSProperties = { top: 7, left: 12 };
