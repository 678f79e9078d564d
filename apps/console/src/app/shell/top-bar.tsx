import { ActionIcon } from '@mantine/core';
import type { SessionUser } from '@opensocial/contract';
import { IconMenu2 } from '@tabler/icons-react';
import { AccountMenu } from './account-menu.tsx';
import { ThemeSwitch } from './theme-switch.tsx';
import classes from './top-bar.module.css';

type TopBarProps = { user: SessionUser; menuOpened: boolean; onOpenMenu: () => void };

export function TopBar({ user, menuOpened, onOpenMenu }: TopBarProps) {
  return (
    <header className={classes.bar}>
      <ActionIcon
        className={classes.burger}
        variant="subtle"
        color="gray"
        size={40}
        aria-label="Open the menu"
        aria-expanded={menuOpened}
        onClick={onOpenMenu}
      >
        <IconMenu2 size={20} />
      </ActionIcon>
      <div className={classes.tools}>
        <ThemeSwitch />
        <AccountMenu user={user} />
      </div>
    </header>
  );
}
