import { Button, type ButtonProps, Loader } from '@mantine/core';
import type { ComponentProps, MouseEvent, ReactNode } from 'react';

type BusyButtonProps = ButtonProps &
  Omit<ComponentProps<'button'>, keyof ButtonProps> & { busy: boolean; busyText?: ReactNode };

/** A busy button ignores clicks but is not disabled, because a disabled button would lose the focus. */
export function BusyButton({ busy, busyText, children, onClick, leftSection, ...button }: BusyButtonProps) {
  const handleClick = (event: MouseEvent<HTMLButtonElement>) => {
    if (busy) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <Button
      {...button}
      aria-disabled={busy}
      data-disabled={busy}
      leftSection={busy ? <Loader size={16} color="currentColor" /> : leftSection}
      onClick={handleClick}
    >
      {busy ? (busyText ?? children) : children}
    </Button>
  );
}
