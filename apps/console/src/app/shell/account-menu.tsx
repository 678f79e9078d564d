import { Avatar, Menu, UnstyledButton } from '@mantine/core';
import type { SessionUser } from '@opensocial/contract';
import { IconChevronDown, IconLogout } from '@tabler/icons-react';
import { logoutUrl } from '../../api/sign-in.ts';
import classes from './account-menu.module.css';
import { initialsOf } from './initials.ts';

type AccountMenuProps = { user: SessionUser };

export function AccountMenu({ user }: AccountMenuProps) {
  return (
    <Menu position="bottom-end" width={240} withinPortal={false}>
      <Menu.Target>
        <UnstyledButton className={classes.target}>
          <Avatar className={classes.avatar} src={user.photoURL || null} alt="" size={34} aria-hidden="true">
            {initialsOf(user.name) || null}
          </Avatar>
          <span className={classes.words}>
            <span className={classes.greeting}>Hi, {user.name}</span>
            {user.is_admin && <span className={classes.flag}>Server admin</span>}
          </span>
          <IconChevronDown className={classes.chevron} size={16} aria-hidden="true" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label className={classes.identity}>
          <span className={classes.name}>{user.name}</span>
          <span className={classes.email}>{user.username}</span>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item component="a" href={logoutUrl} leftSection={<IconLogout size={16} stroke={1.8} />}>
          Logout
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
