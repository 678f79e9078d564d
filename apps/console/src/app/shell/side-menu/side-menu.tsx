import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useSessionUser } from '../../../api/session/session.ts';
import { toHome } from '../../../features/desktop/desktop.links.ts';
import { BrandMark } from '../../../patterns/brand/brand-mark.tsx';
import { usePage } from '../../../patterns/page/use-page.ts';
import { menuEntriesFor } from '../navigation/navigation.ts';
import { useIsNetworkAdmin } from '../navigation/use-is-network-admin.ts';
import { useShownNetwork } from '../navigation/use-shown-network.ts';
import { HelpBubble } from './help-bubble.tsx';
import { SelectedNetwork } from './selected-network.tsx';
import classes from './side-menu.module.css';

type SideMenuProps = {
  collapsed?: boolean;
  /** Absent in the drawer, which cannot be collapsed. */
  onToggle?: () => void;
  onNavigate?: () => void;
  onSwitchNetwork: () => void;
};

const stay = () => {};

export function SideMenu({ collapsed = false, onToggle, onNavigate = stay, onSwitchNetwork }: SideMenuProps) {
  const user = useSessionUser();
  const { menu } = usePage();
  const network = useShownNetwork(user);
  const administers = useIsNetworkAdmin(user.selected_server);
  // The entries would link to the previously selected network.
  const entries = menuEntriesFor(administers && network !== undefined);
  const ToggleIcon = collapsed ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse;
  return (
    <div className={classes.menu} data-collapsed={collapsed || undefined}>
      <Link className={classes.brand} to={toHome()} onClick={onNavigate}>
        <BrandMark className={classes.mark} />
        <span className={classes.label}>OpenSocial</span>
      </Link>
      <SelectedNetwork name={network} collapsed={collapsed} onSwitch={onSwitchNetwork} />
      <nav aria-label="Main">
        <ul className={classes.entries}>
          {entries.map(({ label, icon: EntryIcon, to }) => (
            <li key={label}>
              <Link
                className={classes.entry}
                to={to(user)}
                aria-current={label === menu ? 'page' : undefined}
                title={collapsed ? label : undefined}
                onClick={onNavigate}
              >
                <EntryIcon size={18} stroke={1.8} aria-hidden="true" />
                <span className={classes.label}>{label}</span>
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className={classes.foot}>
        <HelpBubble className={classes.entry} labelClassName={classes.label} onNavigate={onNavigate} />
        {onToggle && (
          <button
            type="button"
            className={classes.entry}
            aria-expanded={!collapsed}
            title={collapsed ? 'Expand' : undefined}
            onClick={onToggle}
          >
            <ToggleIcon size={18} stroke={1.8} aria-hidden="true" />
            <span className={classes.label}>{collapsed ? 'Expand' : 'Collapse'}</span>
          </button>
        )}
      </div>
    </div>
  );
}
