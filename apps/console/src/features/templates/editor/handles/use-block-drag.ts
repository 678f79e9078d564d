import type { Editor } from '@tiptap/core';
import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { type FoundBlock, moveBlock, selectBlock } from '../document/block-model.ts';
import { type DropPlace, dropPlaceAt } from '../document/block-places.ts';

export type Drag = { block: FoundBlock; drop: DropPlace | undefined };

/** Movement below this is a click. */
const leastDistance = 5;
/** Near the edges of the window, the page scrolls along. */
const edge = 70;

/**
 * Drags a block by its handle with mouse or touch. It uses pointer events, because HTML drag and drop does not work with touch.
 * A click without movement selects the block. Escape cancels.
 */
export const useBlockDrag = (editor: Editor) => {
  const [drag, setDrag] = useState<Drag>();
  const stop = useRef<() => void>(undefined);
  useEffect(() => () => stop.current?.(), []);

  const handlePointerDown = (event: PointerEvent<HTMLElement>, block: FoundBlock) => {
    if (event.button !== 0) return;
    event.preventDefault();
    stop.current?.();
    const start = { x: event.clientX, y: event.clientY };
    const at = { ...start };
    let drop: DropPlace | undefined;
    let isDragging = false;
    let wasInside = false;
    let frame = 0;

    const update = () => {
      drop = dropPlaceAt(editor, block, at.x, at.y);
      setDrag({ block, drop });
    };
    const scroll = () => {
      frame = requestAnimationFrame(scroll);
      const by = at.y < edge + 60 ? -12 : at.y > window.innerHeight - edge ? 12 : 0;
      // The handle itself may be at the edge: the page scrolls only after the pointer has left it once.
      wasInside ||= by === 0;
      if (by === 0 || !wasInside) return;
      window.scrollBy(0, by);
      update();
    };
    const move = (moved: globalThis.PointerEvent) => {
      at.x = moved.clientX;
      at.y = moved.clientY;
      if (!isDragging && Math.hypot(at.x - start.x, at.y - start.y) < leastDistance) return;
      if (!isDragging) frame = requestAnimationFrame(scroll);
      isDragging = true;
      update();
    };
    const end = () => {
      stop.current?.();
      const { pos, node } = block;
      const { tr } = editor.state;
      if (!isDragging) selectBlock(tr, pos);
      else if (drop && drop.place !== pos && drop.place !== pos + node.nodeSize) moveBlock(tr, block, drop.place);
      editor.view.dispatch(tr);
      editor.view.focus();
    };
    const cancel = () => stop.current?.();
    const handleKey = (pressed: KeyboardEvent) => {
      if (pressed.key === 'Escape') cancel();
    };
    stop.current = () => {
      stop.current = undefined;
      cancelAnimationFrame(frame);
      setDrag(undefined);
      window.removeEventListener('pointermove', move);
      window.removeEventListener('pointerup', end);
      window.removeEventListener('pointercancel', cancel);
      window.removeEventListener('keydown', handleKey);
    };
    window.addEventListener('pointermove', move);
    window.addEventListener('pointerup', end);
    window.addEventListener('pointercancel', cancel);
    window.addEventListener('keydown', handleKey);
  };
  return { drag, handlePointerDown };
};
