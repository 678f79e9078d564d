import { useDraggable } from '@dnd-kit/core';
import type { CellPlace } from './app-cells.tsx';
import { releaseSpace } from './release-space.ts';

/** The props of the button by which an app is dragged. */
export const useDraggableApp = (id: number, place: CellPlace) => {
  const { setNodeRef, setActivatorNodeRef, attributes, listeners } = useDraggable({
    id,
    attributes: { roleDescription: 'movable app', tabIndex: place.tabIndex },
  });
  return {
    ...attributes,
    ...listeners,
    ref: (node: HTMLButtonElement | null) => {
      setNodeRef(node);
      setActivatorNodeRef(node);
    },
    'data-index': place.index,
    onFocus: place.onFocus,
    onKeyUp: releaseSpace,
  };
};
