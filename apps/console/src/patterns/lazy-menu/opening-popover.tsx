import { Popover, type PopoverProps } from '@mantine/core';
import { cloneElement, type ReactElement, type ReactNode } from 'react';
import type { MenuButtonProps } from './lazy-menu.tsx';
import { useOpening } from './use-opening.ts';

type OpeningPopoverProps = Pick<PopoverProps, 'position' | 'width' | 'middlewares'> & {
  target: ReactElement<MenuButtonProps>;
  label: string;
  className: string | undefined;
  /** Renders the content, mounted while the popover is open. */
  children: (close: () => void) => ReactNode;
};

/** A popover that opens when it is loaded. */
export function OpeningPopover({ target, label, className = '', children, ...props }: OpeningPopoverProps) {
  const [opened, setOpened] = useOpening();
  return (
    <Popover {...props} opened={opened} onChange={setOpened} shadow="md" trapFocus returnFocus>
      <Popover.Target>{cloneElement(target, { onClick: () => setOpened((isOpen) => !isOpen) })}</Popover.Target>
      <Popover.Dropdown className={className} aria-label={label}>
        {opened && children(() => setOpened(false))}
      </Popover.Dropdown>
    </Popover>
  );
}
