import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isAdmin, roleQuery } from '../../../api/session/role.ts';
import { writeCookie } from './cookies.ts';

/** Whether the user administers the selected network. §6 also stores the role in a cookie; nothing reads it. */
export const useIsNetworkAdmin = (network: string): boolean => {
  const role = useQuery(roleQuery(network));
  const administers = isAdmin(role.data);
  useEffect(() => {
    if (!role.isPending) writeCookie('user_role', administers ? 'admin' : 'user');
  }, [administers, role.isPending]);
  return administers;
};
