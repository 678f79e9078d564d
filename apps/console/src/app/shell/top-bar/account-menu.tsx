import type { SessionUser } from '@opensocial/contract';
import { IconChevronDown } from '@tabler/icons-react';
import { lazy } from 'react';
import { PersonPicture } from '../../../patterns/default-image/person-picture.tsx';
import { LazyMenu } from '../../../patterns/lazy-menu/lazy-menu.tsx';
import classes from './account-menu.module.css';

type AccountMenuProps = { user: SessionUser };

const load = () => import('./account-menu-items.tsx');
const AccountMenuItems = lazy(async () => ({ default: (await load()).AccountMenuItems }));

export function AccountMenu({ user }: AccountMenuProps) {
  const face = (
    <>
      <PersonPicture className={classes.avatar} address={user.photoURL} size={34} />
      <span className={classes.words}>
        <span className={classes.greeting}>Hi, {user.name}</span>
        {user.is_admin && <span className={classes.flag}>Owner</span>}
      </span>
      <IconChevronDown className={classes.chevron} size={16} aria-hidden="true" />
    </>
  );
  return (
    <LazyMenu load={load} button={{ className: classes.target, children: face }}>
      {(target) => <AccountMenuItems user={user} target={target} />}
    </LazyMenu>
  );
}
