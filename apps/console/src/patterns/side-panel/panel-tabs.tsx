import { useEffect, useRef } from 'react';
import { NavLink, useLocation } from 'react-router';
import classes from './side-panel.module.css';
import { useMoreBeside } from './use-more-beside.ts';

export type PanelTab = { label: string; to: string };

type PanelTabsProps = { tabs: readonly PanelTab[]; label: string };

/**
 * The tabs are links with their own addresses. They keep the search of the list below. A view within a tab leaves the tab selected.
 */
export function PanelTabs({ tabs, label }: PanelTabsProps) {
  const { pathname, search } = useLocation();
  const bar = useRef<HTMLElement>(null);
  useMoreBeside(bar);
  // On a phone the tabs are wider than the panel, and the selected one may be outside of it.
  useEffect(() => {
    const selected = pathname && bar.current?.querySelector('[aria-current="page"]');
    if (selected) selected.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [pathname]);
  return (
    <nav ref={bar} className={classes.tabs} data-keep-clear aria-label={`${label} sections`}>
      {tabs.map((tab) => (
        <NavLink key={tab.to} className={classes.tab ?? ''} to={{ pathname: tab.to, search }} preventScrollReset>
          {tab.label}
        </NavLink>
      ))}
    </nav>
  );
}
