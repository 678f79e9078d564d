import { Menu, type MenuProps } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { useState } from 'react';

/** A menu that comes closed and opens at once: only so does it know what to give the focus back to. */
export function OpeningMenu(props: Omit<MenuProps, 'opened' | 'onChange'>) {
  const mounted = useMounted();
  const [wanted, setWanted] = useState(true);
  return <Menu {...props} opened={mounted && wanted} onChange={setWanted} />;
}
