import type { SessionUser } from '@opensocial/contract';
import { IconChevronDown } from '@tabler/icons-react';
import { lazy } from 'react';
import { PersonPicture } from '../../../patterns/default-image/person-picture.tsx';
import { LazyMenu, type MenuButtonProps } from '../../../patterns/lazy-menu/lazy-menu.tsx';
import classes from './account-menu.module.css';

type AccountMenuProps = { user: SessionUser };

const load = () => import('./account-menu-items.tsx');
const AccountMenuItems = lazy(async () => ({ default: (await load()).AccountMenuItems }));

export function AccountMenu({ user }: AccountMenuProps) {
  const renderButton = (props: MenuButtonProps) => (
    <button {...props} type="button" className={classes.target}>
      <PersonPicture className={classes.avatar} address={user.photoURL} size={34} />
      <span className={classes.words}>
        <span className={classes.greeting}>Hi, {user.name}</span>
        {user.is_admin && <span className={classes.flag}>Owner</span>}
      </span>
      <IconChevronDown className={classes.chevron} size={16} aria-hidden="true" />
    </button>
  );
  return (
    <LazyMenu load={load} renderButton={renderButton}>
      {(target) => <AccountMenuItems user={user} target={target} />}
    </LazyMenu>
  );
}
