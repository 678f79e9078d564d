import {
  type CollisionDetection,
  type DragStartEvent,
  KeyboardCode,
  KeyboardSensor,
  MouseSensor,
  TouchSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
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
import { type Point, usePointer } from './use-pointer.ts';

type Drag = { id: number; origin: Place; place: Place };

type DragParts = {
  held: Arrangement;
  handles: Record<Place['list'], RefObject<CellsHandle | null>>;
  /** Whether the lists stand one below the other. */
  isStacked: () => boolean;
  onDrop: (id: number, place: Place) => void;
};

/** Enter opens what is under the keyboard, so only space takes it up. */
const keyboardCodes = {
  start: [KeyboardCode.Space],
  cancel: [KeyboardCode.Esc],
  end: [KeyboardCode.Space, KeyboardCode.Enter, KeyboardCode.Tab],
};

/**
 * An app on its way from one place to another. Cells are alike, so the place is reckoned from the pointer or from the arrow
 * keys; whatever is not in sight needs to be neither drawn nor measured.
 */
export const useAppDrag = ({ held, handles, isStacked, onDrop }: DragParts) => {
  const [drag, setDrag] = useState<Drag>();
  const current = useRef<Drag>(undefined);
  const pointer = usePointer();
  const [said, setSaid] = useState('');

  const show = (next: Drag | undefined) => {
    current.current = next;
    setDrag(next);
  };
  const say = (id: number, place: Place, deed = '') => {
    const name = findApp(held, id)?.name ?? '';
    setSaid(`${deed}${name}: ${describePlace(place, withPlaced(held, id, place))}.`);
  };
  const moveTo = (place: Place) => {
    const moved = current.current;
    if (!moved || isSamePlace(moved.place, place)) return;
    show({ ...moved, place });
    say(moved.id, place);
  };
  /** The last place of the desktop, counting the one of what is moved. */
  const lastFor = (id: number): number => held.desktop.filter((app) => app.id !== id).length;

  const cornerOf = (place: Place): Point | undefined =>
    handles[place.list].current?.cornerOf(place.list === 'desktop' ? place.index : 0);

  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 6 } }),
    // A finger that moves at once scrolls.
    useSensor(TouchSensor, { activationConstraint: { delay: 200, tolerance: 8 } }),
    useSensor(KeyboardSensor, {
      keyboardCodes,
      scrollBehavior: 'auto',
      coordinateGetter: (event) => {
        const moved = current.current;
        if (!moved || !/^(Arrow|Home|End)/.test(event.code)) return undefined;
        event.preventDefault();
        const columns = handles.desktop.current?.columns() ?? 1;
        const next = stepFrom(moved.place, event.code, { columns, isStacked: isStacked(), last: lastFor(moved.id) });
        moveTo(next);
        return cornerOf(next);
      },
    }),
  );

  /** Over the list whose frame is under the pointer. The keyboard has its place from its keys. */
  const collisionDetection: CollisionDetection = ({ pointerCoordinates: point, droppableContainers }) =>
    droppableContainers
      .filter(({ id }) => point && handles[id as Place['list']].current?.holds(point))
      .map((droppableContainer) => ({ id: droppableContainer.id, data: { droppableContainer } }));

  const handleStart = ({ active, activatorEvent }: DragStartEvent) => {
    const id = Number(active.id);
    const origin = placeOf(held, id);
    if (!origin) return;
    pointer.follow(activatorEvent);
    show({ id, origin, place: origin });
    say(id, origin, 'Picked up ');
  };

  /** Beside both lists, whatever is moved goes back. */
  const handleMove = () => {
    const point = pointer.last();
    const moved = current.current;
    if (!moved || !point) return;
    const { available, desktop } = handles;
    if (available.current?.holds(point)) moveTo({ list: 'available' });
    else if (desktop.current?.holds(point))
      moveTo({ list: 'desktop', index: Math.min(desktop.current.indexAt(point), lastFor(moved.id)) });
    else moveTo(moved.origin);
  };

  const handleEnd = () => {
    handleMove();
    pointer.leave();
    const moved = current.current;
    if (!moved) return;
    current.current = undefined;
    say(moved.id, moved.place, 'Dropped ');
    onDrop(moved.id, moved.place);
    // Together with what was dropped: else the app would be seen at its old place for a moment.
    notifyManager.schedule(() => setDrag(undefined));
  };

  const handleCancel = () => {
    const moved = current.current;
    pointer.leave();
    show(undefined);
    if (moved) say(moved.id, moved.origin, 'Put back ');
  };

  return {
    drag,
    said,
    /** For what was done without dragging. */
    tell: (id: number, place: Place) => say(id, place),
    arranged: drag ? withPlaced(held, drag.id, drag.place) : held,
    context: {
      sensors,
      collisionDetection,
      onDragStart: handleStart,
      onDragMove: handleMove,
      onDragEnd: handleEnd,
      onDragCancel: handleCancel,
    },
  };
};
