import { lazy, Suspense, useState } from 'react';
import { useOpenerFocus } from '../../../patterns/focus/use-opener-focus.ts';

const CommandPalette = lazy(async () => ({ default: (await import('./command-palette.tsx')).CommandPalette }));

type PaletteSlotProps = { onClose: () => void };

/** Loads and opens the palette. Keys that are pressed while its code is loading are kept. */
export function PaletteSlot({ onClose }: PaletteSlotProps) {
  useOpenerFocus();
  const [initialSearch, setInitialSearch] = useState('');
  const placeholder = (
    <input
      className="visually-hidden"
      aria-label="Go to anything"
      autoFocus
      value={initialSearch}
      onChange={(event) => setInitialSearch(event.currentTarget.value)}
    />
  );
  return (
    <Suspense fallback={placeholder}>
      <CommandPalette initialSearch={initialSearch} onClose={onClose} />
    </Suspense>
  );
}
