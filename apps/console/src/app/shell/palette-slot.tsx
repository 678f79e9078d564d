import { lazy, Suspense, useState } from 'react';

const CommandPalette = lazy(async () => ({ default: (await import('./command-palette.tsx')).CommandPalette }));

type PaletteSlotProps = { opened: boolean; onClose: () => void };

/** Where the palette opens. What is typed before its code is there is not lost. */
export function PaletteSlot({ opened, onClose }: PaletteSlotProps) {
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
  const close = () => {
    setBegun('');
    onClose();
  };
  return <Suspense fallback={waiting}>{opened && <CommandPalette begun={begun} onClose={close} />}</Suspense>;
}
