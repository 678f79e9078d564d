import { Menu } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { toAbout } from '../../../features/about/about.links.ts';
import { OpeningMenu } from '../../../patterns/lazy-menu/opening-menu.tsx';
import classes from './help-bubble.module.css';

type HelpBubbleItemsProps = { target: ReactNode; onNavigate: () => void };

/** §2.2 and §9. */
export function HelpBubbleItems({ target, onNavigate }: HelpBubbleItemsProps) {
  return (
    <OpeningMenu position="top-start" offset={16} width={220} withinPortal={false} floatingStrategy="fixed">
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label className={classes.facts}>
          <span>App Version 1.01.41324</span>
          <span>Release Date 23-07-2025</span>
        </Menu.Label>
        <Menu.Divider />
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
  );
}
