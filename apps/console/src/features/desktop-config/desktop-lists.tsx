import { DndContext, DragOverlay } from '@dnd-kit/core';
import { useMediaQuery, useReducedMotion } from '@mantine/hooks';
import { useRef } from 'react';
import type { NetworkRef } from '../../api/transport/network-ref.ts';
import { TileButton } from '../../patterns/app-tile/tile-button.tsx';
import type { CellsHandle } from './app-cells.tsx';
import { type Arrangement, findApp, type Place } from './arrangement.ts';
import { AvailableList } from './available-list.tsx';
import { RowFace } from './available-row.tsx';
import classes from './desktop-lists.module.css';
import { TileList } from './tile-list.tsx';
import { useAppDrag } from './use-app-drag.ts';
import { useArrangement } from './use-arrangement.ts';

type DesktopListsProps = {
  network: NetworkRef;
  arrangement: Arrangement;
  /** The id of the app whose panel is open. */
  opened: number | undefined;
  onOpen: (id: number) => void;
};

/** The same width as in the stylesheets: on narrower screens the lists are one below the other. */
const narrow = '(max-width: 61.99em)';

/** The announcements of dnd-kit are off: `useAppDrag` makes its own, which name the place. */
const announceNothing = () => undefined;
const announcements = {
  onDragStart: announceNothing,
  onDragOver: announceNothing,
  onDragEnd: announceNothing,
  onDragCancel: announceNothing,
};
const instructions = {
  draggable:
    'Press space to pick the app up, the arrow keys to move it, space again to drop it, or Escape to put it back. ' +
    'The available apps are to the left of the first column of the desktop, or above it on a phone.',
};

/** §2.11: two drag lists, saved after each change. */
export function DesktopLists({ network, arrangement, opened, onOpen }: DesktopListsProps) {
  const available = useRef<CellsHandle>(null);
  const desktop = useRef<CellsHandle>(null);
  const isStacked = useMediaQuery(narrow, false, { getInitialValueInEffect: false });
  const isMotionReduced = useReducedMotion();
  const { arrange, state } = useArrangement(network);
  const { drag, announcement, announceMove, arranged, context } = useAppDrag({
    arrangement,
    handles: { available, desktop },
    isStacked: () => isStacked,
    onDrop: arrange,
  });
  const moveApp = (id: number, place: Place) => {
    arrange(id, place);
    announceMove(id, place);
  };
  const dragged = drag && findApp(arrangement, drag.id);
  const isOver = (list: Place['list']) => drag !== undefined && drag.place.list === list;
  return (
    <DndContext {...context} accessibility={{ announcements, screenReaderInstructions: instructions }}>
      <div className={classes.lists} data-moving={drag !== undefined || undefined}>
        <AvailableList
          network={network}
          apps={arranged.available}
          isDesktopEmpty={arranged.desktop.length === 0}
          dragged={drag?.id}
          isOver={isOver('available')}
          handle={available}
          onAdd={(id) => moveApp(id, { list: 'desktop', index: arrangement.desktop.length })}
        />
        <TileList
          apps={arranged.desktop}
          dragged={drag?.id}
          opened={opened}
          isOver={isOver('desktop')}
          saving={state}
          handle={desktop}
          onOpen={onOpen}
          onRemove={(id) => moveApp(id, { list: 'available' })}
        />
      </div>
      <DragOverlay
        className={classes.dragged ?? ''}
        dropAnimation={isMotionReduced ? null : { duration: 140, easing: 'ease-out' }}
      >
        {dragged && (
          <div className={classes.overlay} aria-hidden="true">
            {drag.origin.list === 'desktop' ? <TileButton app={dragged} tabIndex={-1} /> : <RowFace app={dragged} />}
          </div>
        )}
      </DragOverlay>
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
    </DndContext>
  );
}
