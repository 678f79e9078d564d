import { lazy, Suspense, useState } from 'react';
import { useOpenerFocus } from '../../../patterns/focus/use-opener-focus.ts';

const CommandPalette = lazy(async () => ({ default: (await import('./command-palette.tsx')).CommandPalette }));

type PaletteSlotProps = { onClose: () => void };

/** Where the palette opens. What is typed before its code is there is not lost. */
export function PaletteSlot({ onClose }: PaletteSlotProps) {
  useOpenerFocus();
  const [begun, setBegun] = useState('');
  const waiting = (
    <input
      className="visually-hidden"
      aria-label="Go to anything"
      autoFocus
      value={begun}
      onChange={(event) => setBegun(event.currentTarget.value)}
    />
  );
  return (
    <Suspense fallback={waiting}>
      <CommandPalette begun={begun} onClose={onClose} />
    </Suspense>
  );
}
