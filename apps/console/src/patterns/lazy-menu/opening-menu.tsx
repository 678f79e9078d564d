import { Menu, type MenuProps } from '@mantine/core';
import { useOpening } from './use-opening.ts';

/** A menu that opens when it is loaded. */
export function OpeningMenu(props: Omit<MenuProps, 'opened' | 'onChange'>) {
  const [opened, setOpened] = useOpening();
  return <Menu {...props} opened={opened} onChange={setOpened} />;
}
