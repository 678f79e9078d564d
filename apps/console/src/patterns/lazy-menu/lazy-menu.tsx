import { type ComponentProps, type ReactNode, Suspense, useState } from 'react';

type LazyMenuProps = {
  /** The button that opens it. */
  button: Omit<ComponentProps<'button'>, 'type' | 'ref'>;
  /** Loads the menu's code ahead: looking at the button is enough. */
  load: () => Promise<unknown>;
  /** The menu, open, around its target. */
  children: (target: ReactNode) => ReactNode;
};

/** A menu whose code is loaded when it is first wanted. */
export function LazyMenu({ button, load, children }: LazyMenuProps) {
  const [wanted, setWanted] = useState(false);
  const prepare = () => void load();
  const closed = (
    <button
      {...button}
      type="button"
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={prepare}
      onFocus={prepare}
      onClick={() => setWanted(true)}
    />
  );
  if (!wanted) return closed;
  // It takes the place of the one that was pressed, and so its focus, which a closing menu gives back.
  return <Suspense fallback={closed}>{children(<button {...button} type="button" autoFocus />)}</Suspense>;
}
