import { getRole } from '@opensocial/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from './caller.ts';

export const roleQuery = (network: string) =>
  queryOptions({
    queryKey: ['networks', network, 'role'],
    queryFn: ({ signal }) => call(getRole, { params: { server: network } }, signal),
    retry: false,
  });

/** Only this exact answer makes an administrator; anything else, a failed call too, means user. */
export const isAdmin = (role: unknown): boolean => role === 'admin';
