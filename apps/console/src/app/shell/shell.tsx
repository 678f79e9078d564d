import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { lazy, Suspense, useMemo, useRef, useState } from 'react';
import { type Location, Outlet, ScrollRestoration, useNavigation } from 'react-router';
import { useSessionUser } from '../../api/session/session.ts';
import { ShellActionsContext } from '../../patterns/shell-actions/shell-actions.ts';
import { PaletteSlot } from './navigation/palette-slot.tsx';
import { OwnerNotice } from './owner-notice.tsx';
import { RouteAnnouncer } from './route-announcer.tsx';
import classes from './shell.module.css';
import { SideMenu } from './side-menu/side-menu.tsx';
import { useSidebar } from './side-menu/use-sidebar.ts';
import { TopBar } from './top-bar/top-bar.tsx';
import { useHeadingFocus } from './use-heading-focus.ts';

const MenuDrawer = lazy(async () => ({ default: (await import('./side-menu/menu-drawer.tsx')).MenuDrawer }));
const NetworkSwitcher = lazy(async () => ({
  default: (await import('./navigation/network-switcher.tsx')).NetworkSwitcher,
}));

/** The first entry of every document has the same key, so that the position of another screen would be restored in it. */
const scrollKeyOf = ({ key, pathname, hash }: Location): string => (key === 'default' ? pathname + hash : key);

/** Menu, top bar and the screen between them. Below 992 px the menu is a drawer. */
export function Shell() {
  const user = useSessionUser();
  const sidebar = useSidebar();
  const [menuWanted, setMenuWanted] = useState(false);
  const [menuOpened, menu] = useDisclosure(false, { onOpen: () => setMenuWanted(true) });
  const [paletteOpened, palette] = useDisclosure();
  const [switcherOpened, switcher] = useDisclosure();
  const actions = useMemo(() => ({ switchNetwork: switcher.open }), [switcher]);
  const main = useRef<HTMLElement>(null);
  const isNavigating = useNavigation().state !== 'idle';
  useHeadingFocus(main);
  // The shortcut also works while a field has the focus.
  useHotkeys([['mod+K', palette.open]], []);

  return (
    <ShellActionsContext value={actions}>
      <div className={classes.shell} data-collapsed={sidebar.collapsed || undefined}>
        <a className={classes.skip} href="#main">
          Skip to the content
        </a>
        <aside className={classes.side} aria-label="Menu">
          <SideMenu collapsed={sidebar.collapsed} onToggle={sidebar.toggle} onSwitchNetwork={switcher.open} />
        </aside>
        <div className={classes.column}>
          <TopBar user={user} menuOpened={menuOpened} onOpenMenu={menu.open} onOpenPalette={palette.open} />
          {user.mfa_due !== null && <OwnerNotice due={user.mfa_due} />}
          <main ref={main} id="main" className={classes.main} tabIndex={-1} aria-busy={isNavigating}>
            <Outlet />
          </main>
        </div>
        <Suspense>
          {menuWanted && <MenuDrawer opened={menuOpened} onClose={menu.close} onSwitchNetwork={switcher.open} />}
        </Suspense>
        {paletteOpened && <PaletteSlot onClose={palette.close} />}
        <Suspense>{switcherOpened && <NetworkSwitcher onClose={switcher.close} />}</Suspense>
        <RouteAnnouncer />
        <ScrollRestoration getKey={scrollKeyOf} />
      </div>
    </ShellActionsContext>
  );
}
