import {
  copyUserInvitation,
  endUserSessions,
  getUserSecurity,
  resendInvitation,
  resetUserFactors,
  sendUserReset,
  type UserAction,
} from '@opensocial/contract';
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../../api/transport/caller.ts';
import type { NetworkRef } from '../../../api/transport/network-ref.ts';
import { queryClient } from '../../../api/transport/query-client.ts';
import { userKey } from '../../../api/transport/query-keys.ts';
import { lockUser } from '../users.api.ts';

export const userSecurityQuery = (network: NetworkRef, id: number) =>
  queryOptions({
    queryKey: [...userKey(network, id), 'security'],
    queryFn: ({ signal }) => call(getUserSecurity, { params: { user_id: id, server_id: network.id } }, signal),
  });

/** The result of an action: what to say, and a link if one was made. */
export type ActionResult = { message: string; link?: string };

const act = async (network: NetworkRef, user: { id: number }, action: UserAction): Promise<ActionResult> => {
  const given = { body: { user_id: user.id, server_id: network.id } };
  switch (action) {
    case 'invite':
      return call(resendInvitation, given);
    case 'copy_link':
      return { message: 'The link was created.', ...(await call(copyUserInvitation, given)) };
    case 'send_reset':
      return call(sendUserReset, given);
    case 'sign_out':
      return call(endUserSessions, given);
    case 'reset_factors':
      return call(resetUserFactors, given);
    case 'unlock':
      await lockUser(network, user, 'Active');
      return { message: 'The account was unlocked.' };
    case 'enable':
      await lockUser(network, user, 'Active');
      return { message: 'The user can sign in again.' };
    case 'disable':
      await lockUser(network, user, 'Disable');
      return { message: 'The user was disabled and signed out.' };
  }
};

/** Everything in the panel of the user may have changed, also after an action that was refused. */
export const takeAction = (network: NetworkRef, user: { id: number }) =>
  mutationOptions({
    mutationKey: ['users', 'action', user.id],
    mutationFn: (action: UserAction) => act(network, user, action),
    onSettled: () => queryClient.invalidateQueries({ queryKey: userKey(network, user.id) }),
  });
