import type { SessionUser } from '@opensocial/contract';
import { useQuery } from '@tanstack/react-query';
import { Link, NavLink } from 'react-router';
import { isAdmin, roleQuery } from '../../api/role.ts';
import { toHome } from '../../features/desktop/desktop.routes.tsx';
import { BrandMark } from '../../patterns/brand/brand-mark.tsx';
import { navigation } from './navigation.ts';
import { SelectedNetwork } from './selected-network.tsx';
import classes from './side-menu.module.css';

type SideMenuProps = { user: SessionUser; onNavigate?: () => void };

const stay = () => {};

export function SideMenu({ user, onNavigate = stay }: SideMenuProps) {
  const role = useQuery(roleQuery(user.selected_server));
  const entries = navigation.filter((entry) => !entry.adminOnly || isAdmin(role.data));
  return (
    <div className={classes.menu}>
      <Link className={classes.brand} to={toHome()} onClick={onNavigate}>
        <BrandMark className={classes.mark} />
        OpenSocial
      </Link>
      <SelectedNetwork name={user.selected_server} />
      <nav aria-label="Main">
        <ul className={classes.entries}>
          {entries.map(({ label, icon: EntryIcon, to }) => (
            <li key={label}>
              <NavLink className={classes.entry ?? ''} to={to()} end onClick={onNavigate}>
                <EntryIcon size={18} stroke={1.8} aria-hidden="true" />
                {label}
              </NavLink>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  );
}
