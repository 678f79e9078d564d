import { Menu } from '@mantine/core';
import type { DesktopApp } from '@opensocial/contract';
import { IconArrowBarToDown, IconArrowBarToUp, IconFolder, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { OpeningMenu } from '../../../patterns/lazy-menu/opening-menu.tsx';
import classes from './arrange-dialog.module.css';
import type { SectionEditing } from './use-section-drafts.ts';

type AppMenuProps = {
  target: ReactNode;
  app: DesktopApp;
  place: { index: number; last: number };
  sectionKey: string;
  editing: SectionEditing;
};

const icon = { size: 16, stroke: 1.8, 'aria-hidden': true } as const;

/** The menu of an app in a section: places that are far away. */
export function AppMenu({ target, app, place: { index, last }, sectionKey, editing }: AppMenuProps) {
  const moveTo = (to: number) => editing.moveApp(sectionKey, index, to);
  const others = editing.drafts.filter(({ key }) => key !== sectionKey);
  return (
    <OpeningMenu position="bottom-end" width={250} withinPortal={false} returnFocus={false}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown className={classes.menu ?? ''}>
        {index > 0 && (
          <Menu.Item leftSection={<IconArrowBarToUp {...icon} />} onClick={() => moveTo(0)}>
            Move to the top
          </Menu.Item>
        )}
        {index < last && (
          <Menu.Item leftSection={<IconArrowBarToDown {...icon} />} onClick={() => moveTo(last)}>
            Move to the bottom
          </Menu.Item>
        )}
        {others.map(({ key, name }) => (
          <Menu.Item
            key={key}
            leftSection={<IconFolder {...icon} />}
            onClick={() => editing.releaseApp(sectionKey, app.id, key)}
          >
            Move to {name}
          </Menu.Item>
        ))}
        <Menu.Item leftSection={<IconX {...icon} />} onClick={() => editing.releaseApp(sectionKey, app.id, undefined)}>
          Remove from this section
        </Menu.Item>
      </Menu.Dropdown>
    </OpeningMenu>
  );
}
