import { listLogins, removeLogin } from '@opensocial/contract';
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../../api/transport/caller.ts';
import { refreshProfile } from '../details/profile.api.ts';

export const loginsQuery = queryOptions({
  queryKey: ['profile', 'logins'],
  queryFn: async ({ signal }) => (await call(listLogins, {}, signal)).logins,
});

export const unlinkLogin = mutationOptions({
  mutationKey: ['logins', 'remove'],
  mutationFn: (id: number) => call(removeLogin, { params: { id } }),
  onSettled: refreshProfile,
});
