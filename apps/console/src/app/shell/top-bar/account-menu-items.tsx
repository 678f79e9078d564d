import { Menu } from '@mantine/core';
import type { SessionUser } from '@opensocial/contract';
import { IconLogout, IconUserCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { logoutUrl } from '../../../api/sign-in/sign-in.ts';
import { toProfile } from '../../../features/profile/profile.links.ts';
import { OpeningMenu } from '../../../patterns/lazy-menu/opening-menu.tsx';
import classes from './account-menu.module.css';

type AccountMenuItemsProps = { user: SessionUser; target: ReactNode };

export function AccountMenuItems({ user, target }: AccountMenuItemsProps) {
  return (
    <OpeningMenu position="bottom-end" width={240} withinPortal={false}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label className={classes.identity}>
          <span className={classes.name}>{user.name}</span>
          <span className={classes.email}>{user.username}</span>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item component={Link} to={toProfile()} leftSection={<IconUserCircle size={16} stroke={1.8} />}>
          Edit My Profile
        </Menu.Item>
        <Menu.Item component="a" href={logoutUrl} leftSection={<IconLogout size={16} stroke={1.8} />}>
          Logout
        </Menu.Item>
      </Menu.Dropdown>
    </OpeningMenu>
  );
}
