import type { CollisionDetection, DragStartEvent } from '@dnd-kit/core';
import { notifyManager } from '@tanstack/react-query';
import { type RefObject, useRef, useState } from 'react';
import type { CellsHandle } from './app-cells.tsx';
import {
  type Arrangement,
  describePlace,
  findApp,
  isSamePlace,
  type Place,
  placeOf,
  stepFrom,
  withPlaced,
} from './arrangement.ts';
import { useDragSensors } from './use-drag-sensors.ts';
import { usePointer } from './use-pointer.ts';

type Drag = { id: number; origin: Place; place: Place };

type Handles = Record<Place['list'], RefObject<CellsHandle | null>>;

type AppDragParts = {
  arrangement: Arrangement;
  handles: Handles;
  /** Whether the two lists are one below the other. */
  isStacked: () => boolean;
  onDrop: (id: number, place: Place) => void;
};

/**
 * Drags an app to another place. All cells have the same size, so the place is computed from the pointer or from the arrow keys.
 * Cells outside the visible area need not be rendered or measured.
 */
export const useAppDrag = ({ arrangement, handles, isStacked, onDrop }: AppDragParts) => {
  const [drag, setDrag] = useState<Drag>();
  const current = useRef<Drag>(undefined);
  const pointer = usePointer();
  const { announcement, announce } = useAnnouncement(arrangement);

  const show = (next: Drag | undefined) => {
    current.current = next;
    setDrag(next);
  };
  const moveTo = (place: Place) => {
    const moved = current.current;
    if (!moved || isSamePlace(moved.place, place)) return;
    show({ ...moved, place });
    announce(moved.id, place);
  };
  /** The last index on the desktop, with the dragged app counted. */
  const lastIndexFor = (id: number): number => arrangement.desktop.filter((app) => app.id !== id).length;

  const sensors = useDragSensors((code) => {
    const moved = current.current;
    if (!moved) return undefined;
    const columns = handles.desktop.current?.columns() ?? 1;
    const next = stepFrom(moved.place, code, { columns, isStacked: isStacked(), last: lastIndexFor(moved.id) });
    moveTo(next);
    return handles[next.list].current?.cornerOf(next.list === 'desktop' ? next.index : 0);
  });

  const handleStart = ({ active, activatorEvent }: DragStartEvent) => {
    const id = Number(active.id);
    const origin = placeOf(arrangement, id);
    if (!origin) return;
    pointer.start(activatorEvent);
    show({ id, origin, place: origin });
    announce(id, origin, 'Picked up ');
  };

  /** Outside both lists, the app returns to its origin. */
  const handleMove = () => {
    const point = pointer.last();
    const moved = current.current;
    if (!moved || !point) return;
    const { available, desktop } = handles;
    if (available.current?.contains(point)) moveTo({ list: 'available' });
    else if (desktop.current?.contains(point))
      moveTo({ list: 'desktop', index: Math.min(desktop.current.indexAt(point), lastIndexFor(moved.id)) });
    else moveTo(moved.origin);
  };

  const handleEnd = () => {
    handleMove();
    pointer.stop();
    const moved = current.current;
    if (!moved) return;
    current.current = undefined;
    announce(moved.id, moved.place, 'Dropped ');
    onDrop(moved.id, moved.place);
    // In the same batch as the new arrangement, otherwise the app would appear at its old place for a moment.
    notifyManager.schedule(() => setDrag(undefined));
  };

  const handleCancel = () => {
    const moved = current.current;
    pointer.stop();
    show(undefined);
    if (moved) announce(moved.id, moved.origin, 'Put back ');
  };

  return {
    drag,
    announcement,
    /** For moves without dragging. */
    announceMove: (id: number, place: Place) => announce(id, place),
    arranged: drag ? withPlaced(arrangement, drag.id, drag.place) : arrangement,
    context: {
      sensors,
      collisionDetection: detectList(handles),
      onDragStart: handleStart,
      onDragMove: handleMove,
      onDragEnd: handleEnd,
      onDragCancel: handleCancel,
    },
  };
};

/** Tells screen readers where an app is. */
const useAnnouncement = (arrangement: Arrangement) => {
  const [announcement, setAnnouncement] = useState('');
  const announce = (id: number, place: Place, verb = '') => {
    const name = findApp(arrangement, id)?.name ?? '';
    setAnnouncement(`${verb}${name}: ${describePlace(place, withPlaced(arrangement, id, place))}.`);
  };
  return { announcement, announce };
};

/** Finds the list under the pointer. With the keyboard there is no pointer, and the keys decide. */
const detectList =
  (handles: Handles): CollisionDetection =>
  ({ pointerCoordinates: point, droppableContainers }) =>
    droppableContainers
      .filter(({ id }) => point && handles[id as Place['list']].current?.contains(point))
      .map((droppableContainer) => ({ id: droppableContainer.id, data: { droppableContainer } }));
