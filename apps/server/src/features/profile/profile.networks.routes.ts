import { acceptInvitation, declineInvitation, leaveNetwork, listOwnNetworks } from '@opensocial/contract';
import type { Bind } from '../../http/bind.ts';
import type { Parts } from '../../parts.ts';
import { accept, decline, leave, listNetworks } from './profile.networks.service.ts';

/** The networks of the signed-in user: joining and leaving them. */
export const profileNetworkRoutes = (bind: Bind, parts: Parts): void => {
  bind(listOwnNetworks, ({ user }) => listNetworks(parts.db, user));

  bind(acceptInvitation, async ({ params: { server }, ...caller }) => {
    await accept(parts, caller, server);
    return { message: `You are now a member of ${server}.` };
  });

  bind(declineInvitation, async ({ params: { server }, ...caller }) => {
    await decline(parts, caller, server);
    return { message: `The invitation to ${server} was declined.` };
  });

  bind(leaveNetwork, async ({ params: { server }, ...caller }) => {
    await leave(parts, caller, server);
    return { message: `You have left ${server}.` };
  });
};
