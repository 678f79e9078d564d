import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense, useRef, useState } from 'react';
import { Outlet, ScrollRestoration } from 'react-router';
import { useSessionUser } from '../../api/session.ts';
import classes from './shell.module.css';
import { SideMenu } from './side-menu.tsx';
import { TopBar } from './top-bar.tsx';
import { useHeadingFocus } from './use-heading-focus.ts';

const MenuDrawer = lazy(async () => ({ default: (await import('./menu-drawer.tsx')).MenuDrawer }));

/** Menu, top bar and the screen between them. Below 992 px the menu is a drawer. */
export function Shell() {
  const user = useSessionUser();
  const [menuWanted, setMenuWanted] = useState(false);
  const [menuOpened, menu] = useDisclosure(false, { onOpen: () => setMenuWanted(true) });
  const main = useRef<HTMLElement>(null);
  useHeadingFocus(main);

  return (
    <div className={classes.shell}>
      <a className={classes.skip} href="#main">
        Skip to the content
      </a>
      <aside className={classes.side} aria-label="Menu">
        <SideMenu user={user} />
      </aside>
      <div>
        <TopBar user={user} menuOpened={menuOpened} onOpenMenu={menu.open} />
        <main ref={main} id="main" className={classes.main} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      <Suspense>{menuWanted && <MenuDrawer user={user} opened={menuOpened} onClose={menu.close} />}</Suspense>
      <ScrollRestoration />
    </div>
  );
}
