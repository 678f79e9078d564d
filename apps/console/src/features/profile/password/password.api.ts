import { changePassword, finishPasswordChange, getPasswordPolicy, type SessionUser } from '@opensocial/contract';
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../../api/transport/caller.ts';
import { emailBody, refreshProfile } from '../details/profile.api.ts';

export const passwordPolicyQuery = ({ default_server }: SessionUser) =>
  queryOptions({
    queryKey: ['profile-policy', default_server],
    queryFn: ({ signal }) => call(getPasswordPolicy, { params: { default_server } }, signal),
  });

export type Passwords = { current_password: string; password: string };

export const savePassword = (user: SessionUser) =>
  mutationOptions({
    mutationKey: ['profile', 'password'],
    mutationFn: async ({ current_password, password }: Passwords) => {
      const done = await call(changePassword, { body: { ...emailBody(user), current_password, password } });
      await call(finishPasswordChange, { body: { username: user.username, password } });
      return done;
    },
    onSuccess: refreshProfile,
  });
