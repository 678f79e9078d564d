import { type ComponentProps, type ReactNode, Suspense, useState } from 'react';

type LazyMenuProps = {
  /** The button that opens the menu. */
  button: Omit<ComponentProps<'button'>, 'type' | 'ref'>;
  /** Loads the code of the menu. Called when the pointer or the focus is on the button. */
  load: () => Promise<unknown>;
  /** Renders the open menu around its target. */
  children: (target: ReactNode) => ReactNode;
};

/** A menu whose code is loaded on demand. */
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
  // The loaded menu replaces the pressed button, and must take over the focus, because a closing menu returns the focus to its
  // target.
  return <Suspense fallback={closed}>{children(<button {...button} type="button" autoFocus />)}</Suspense>;
}
