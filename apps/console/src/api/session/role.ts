import { getRole } from '@opensocial/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../transport/caller.ts';
import { networksKey } from '../transport/query-keys.ts';

export const roleQuery = (network: string) =>
  queryOptions({
    queryKey: [...networksKey, 'role', network],
    queryFn: ({ signal }) => call(getRole, { params: { server: network } }, signal),
    retry: false,
  });

/** Only the exact value 'admin' makes an administrator. Any other value, and a failed call, means user. */
export const isAdmin = (role: unknown): boolean => role === 'admin';

/** The network through which the console signs in. Its owners administer the whole installation. */
export const mainNetwork = 'opensocial';

export const useOwnsMainNetwork = (): boolean => isAdmin(useQuery(roleQuery(mainNetwork)).data);
