import { Menu, type MenuProps } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { useState } from 'react';

/** A menu that is mounted closed and opens at once, because Mantine otherwise does not know where to return the focus. */
export function OpeningMenu(props: Omit<MenuProps, 'opened' | 'onChange'>) {
  const mounted = useMounted();
  const [wanted, setWanted] = useState(true);
  return <Menu {...props} opened={mounted && wanted} onChange={setWanted} />;
}
