import { Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBook, IconCode, IconInfoCircle, IconKeyboard } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { isAdmin, roleQuery } from '../../../api/session/role.ts';
import { useSessionUser } from '../../../api/session/session.ts';
import { aboutQuery } from '../../../features/about/about.api.ts';
import { toAbout } from '../../../features/about/about.links.ts';
import { toHelp } from '../../../features/help/help.links.ts';
import { OpeningMenu } from '../../../patterns/lazy-menu/opening-menu.tsx';
import classes from './help-bubble.module.css';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';

type HelpBubbleItemsProps = { target: ReactNode; onNavigate: () => void };

/** §2.2 and §9. */
export function HelpBubbleItems({ target, onNavigate }: HelpBubbleItemsProps) {
  const about = useQuery(aboutQuery);
  const { selected_server } = useSessionUser();
  const administers = isAdmin(useQuery(roleQuery(selected_server)).data);
  const [hasShortcuts, shortcuts] = useDisclosure();
  return (
    <>
      <OpeningMenu position="top-start" offset={16} width={216} withinPortal={false} floatingStrategy="fixed">
        <Menu.Target>{target}</Menu.Target>
        <Menu.Dropdown>
          <Menu.Label className={classes.facts}>
            <span>App Version 1.01.41324</span>
            <span>Release Date 23-07-2025</span>
            <span>OpenSocial SSO {about.data?.version}</span>
          </Menu.Label>
          <Menu.Divider />
          {administers && (
            <Menu.Item
              component={Link}
              to={toHelp()}
              leftSection={<IconBook size={16} stroke={1.8} />}
              onClick={onNavigate}
            >
              Guide for owners
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconKeyboard size={16} stroke={1.8} />} onClick={shortcuts.open}>
            Keyboard shortcuts
          </Menu.Item>
          <Menu.Item
            component="a"
            href="/server/docs"
            target="_blank"
            rel="noopener noreferrer"
            leftSection={<IconCode size={16} stroke={1.8} />}
          >
            API documentation
          </Menu.Item>
          <Menu.Item
            component={Link}
            to={toAbout()}
            leftSection={<IconInfoCircle size={16} stroke={1.8} />}
            onClick={onNavigate}
          >
            About
          </Menu.Item>
        </Menu.Dropdown>
      </OpeningMenu>
      {hasShortcuts && <ShortcutsDialog onClose={shortcuts.close} />}
    </>
  );
}
