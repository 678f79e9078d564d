import { Drawer } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import classes from './menu-drawer.module.css';
import { SideMenu } from './side-menu.tsx';

type MenuDrawerProps = { opened: boolean; onClose: () => void; onSwitchNetwork: () => void };

/** The side menu on a phone. */
export function MenuDrawer({ opened, onClose, onSwitchNetwork }: MenuDrawerProps) {
  // Mounted closed and then opened, because Mantine otherwise does not know where to return the focus.
  const mounted = useMounted();
  const handleSwitch = () => {
    onClose();
    onSwitchNetwork();
  };
  return (
    <Drawer.Root
      classNames={{ content: classes.panel, body: classes.body }}
      opened={mounted && opened}
      onClose={onClose}
      size={280}
      padding={0}
      transitionProps={{ duration: 160 }}
    >
      <Drawer.Overlay />
      <Drawer.Content aria-label="Menu">
        <Drawer.CloseButton className={classes.close} aria-label="Close the menu" />
        <Drawer.Body>
          <SideMenu onNavigate={onClose} onSwitchNetwork={handleSwitch} />
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
