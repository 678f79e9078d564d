import { Menu } from '@mantine/core';
import type { ReactElement } from 'react';
import type { MenuButtonProps } from '../../lazy-menu/lazy-menu.tsx';
import { OpeningMenu } from '../../lazy-menu/opening-menu.tsx';
import type { BulkAction } from '../model/list-description.ts';

type MoreActionsProps = {
  target: ReactElement<MenuButtonProps>;
  actions: readonly (Pick<BulkAction<never>, 'label' | 'icon'> & { onAct: () => void })[];
  disabled: boolean;
};

/** The menu of the bulk actions that have no button of their own. */
export function MoreActions({ target, actions, disabled }: MoreActionsProps) {
  return (
    <OpeningMenu position="bottom-end" width={240} withinPortal={false} disabled={disabled}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ label, icon: ActionIcon, onAct }) => (
          <Menu.Item key={label} leftSection={<ActionIcon size={16} stroke={1.8} />} onClick={onAct}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </OpeningMenu>
  );
}
