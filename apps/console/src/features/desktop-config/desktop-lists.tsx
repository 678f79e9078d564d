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
  held: Arrangement;
  /** The id of the app whose panel stands open. */
  opened: number | undefined;
  onOpen: (id: number) => void;
};

/** The same as in the stylesheets: below it the lists stand one below the other. */
const narrow = '(max-width: 61.99em)';

/** What a screen reader says is said by ourselves: the library knows no places. */
const silence = () => undefined;
const silent = { onDragStart: silence, onDragOver: silence, onDragEnd: silence, onDragCancel: silence };
const instructions = {
  draggable:
    'Press space to pick the app up, the arrow keys to move it, space again to drop it, or Escape to put it back. ' +
    'Left of the first column of the desktop, or above it on a phone, are the available apps.',
};

/** §2.11: two drag lists, saved after each change. */
export function DesktopLists({ network, held, opened, onOpen }: DesktopListsProps) {
  const available = useRef<CellsHandle>(null);
  const desktop = useRef<CellsHandle>(null);
  const isStacked = useMediaQuery(narrow, false, { getInitialValueInEffect: false });
  const isStill = useReducedMotion();
  const { arrange, state } = useArrangement(network);
  const { drag, said, tell, arranged, context } = useAppDrag({
    held,
    handles: { available, desktop },
    isStacked: () => isStacked,
    onDrop: arrange,
  });
  const put = (id: number, place: Place) => {
    arrange(id, place);
    tell(id, place);
  };
  const dragged = drag && findApp(held, drag.id);
  const isOver = (list: Place['list']) => drag !== undefined && drag.place.list === list;
  return (
    <DndContext {...context} accessibility={{ announcements: silent, screenReaderInstructions: instructions }}>
      <div className={classes.lists} data-moving={drag !== undefined || undefined}>
        <AvailableList
          network={network}
          apps={arranged.available}
          isWhole={arranged.desktop.length === 0}
          dragged={drag?.id}
          isOver={isOver('available')}
          handle={available}
          onAdd={(id) => put(id, { list: 'desktop', index: held.desktop.length })}
        />
        <TileList
          apps={arranged.desktop}
          dragged={drag?.id}
          opened={opened}
          isOver={isOver('desktop')}
          saving={state}
          handle={desktop}
          onOpen={onOpen}
          onRemove={(id) => put(id, { list: 'available' })}
        />
      </div>
      <DragOverlay
        className={classes.dragged ?? ''}
        dropAnimation={isStill ? null : { duration: 140, easing: 'ease-out' }}
      >
        {dragged && (
          <div className={classes.overlay} aria-hidden="true">
            {drag.origin.list === 'desktop' ? <TileButton app={dragged} tabIndex={-1} /> : <RowFace app={dragged} />}
          </div>
        )}
      </DragOverlay>
      <p className="visually-hidden" role="status">
        {said}
      </p>
    </DndContext>
  );
}
