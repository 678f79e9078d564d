import { Drawer } from '@mantine/core';
import type { SessionUser } from '@opensocial/contract';
import classes from './menu-drawer.module.css';
import { SideMenu } from './side-menu.tsx';

type MenuDrawerProps = { user: SessionUser; opened: boolean; onClose: () => void };

/** The side menu on a phone. */
export function MenuDrawer({ user, opened, onClose }: MenuDrawerProps) {
  return (
    <Drawer.Root
      classNames={{ content: classes.panel }}
      opened={opened}
      onClose={onClose}
      size={280}
      padding={0}
      transitionProps={{ duration: 160 }}
    >
      <Drawer.Overlay />
      <Drawer.Content aria-label="Menu">
        <Drawer.CloseButton className={classes.close} aria-label="Close the menu" />
        <Drawer.Body>
          <SideMenu user={user} onNavigate={onClose} />
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
