import { ActionIcon, Kbd } from '@mantine/core';
import type { SessionUser } from '@opensocial/contract';
import { IconMenu2, IconSearch } from '@tabler/icons-react';
import { AccountMenu } from './account-menu.tsx';
import { DefaultServerButton } from './default-server-button.tsx';
import { ThemeSwitch } from './theme-switch.tsx';
import classes from './top-bar.module.css';

type TopBarProps = { user: SessionUser; menuOpened: boolean; onOpenMenu: () => void; onOpenPalette: () => void };

export function TopBar({ user, menuOpened, onOpenMenu, onOpenPalette }: TopBarProps) {
  return (
    <header className={classes.bar} data-keep-clear>
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
      <button
        type="button"
        className={classes.palette}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K"
        onClick={onOpenPalette}
      >
        <IconSearch size={17} stroke={1.8} aria-hidden="true" />
        <span className={classes.paletteLabel}>Go to anything</span>
        <Kbd className={classes.key} aria-hidden="true">
          Ctrl K
        </Kbd>
      </button>
      <div className={classes.tools}>
        <DefaultServerButton user={user} />
        <ThemeSwitch />
        <AccountMenu user={user} />
      </div>
    </header>
  );
}
