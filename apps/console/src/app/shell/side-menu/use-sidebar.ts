import { useState } from 'react';
import { readCookie, writeCookie } from '../navigation/cookies.ts';

const cookie = 'sidebar';

/** §2.2: whether the menu is collapsed, remembered in a cookie. */
export const useSidebar = () => {
  const [collapsed, setCollapsed] = useState(() => readCookie(cookie) === 'collapsed');
  const toggle = () => {
    writeCookie(cookie, collapsed ? 'expanded' : 'collapsed');
    setCollapsed(!collapsed);
  };
  return { collapsed, toggle };
};
