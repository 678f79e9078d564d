import { type ComponentProps, type ReactElement, type ReactNode, startTransition, useState } from 'react';

/** What the button gets: before the menu is loaded, the handlers that load and open it. */
export type MenuButtonProps = Pick<
  ComponentProps<'button'>,
  'aria-haspopup' | 'aria-expanded' | 'autoFocus' | 'onPointerEnter' | 'onFocus' | 'onClick'
>;

type LazyMenuProps = {
  /** Renders the button that opens the menu. */
  renderButton: (props: MenuButtonProps) => ReactElement<MenuButtonProps>;
  /** What opens. The default is a menu. */
  popup?: 'menu' | 'dialog';
  /** Loads the code of the menu. Called when the pointer or the focus is on the button. */
  load: () => Promise<unknown>;
  /** Renders the open menu around its target. */
  children: (target: ReactElement<MenuButtonProps>) => ReactNode;
};

/** A menu whose code is loaded on demand. */
export function LazyMenu({ renderButton, popup = 'menu', load, children }: LazyMenuProps) {
  const [wanted, setWanted] = useState(false);
  const prepare = () => void load();
  // The loaded menu replaces the pressed button, and must take over the focus, because a closing menu returns the focus to its
  // target.
  if (wanted) return children(renderButton({ autoFocus: true }));
  return renderButton({
    'aria-haspopup': popup,
    'aria-expanded': false,
    onPointerEnter: prepare,
    onFocus: prepare,
    // As a transition, the pressed button keeps its place and the focus until the menu is loaded.
    onClick: () => startTransition(() => setWanted(true)),
  });
}
