import { acceptInvitation, declineInvitation, leaveNetwork, listOwnNetworks } from '@opensocial/contract';
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../../api/transport/caller.ts';
import { queryClient } from '../../../api/transport/query-client.ts';

export const ownNetworksQuery = queryOptions({
  queryKey: ['profile', 'networks'],
  queryFn: ({ signal }) => call(listOwnNetworks, {}, signal),
});

/** The session, the networks and the roles may have changed, so all queries are invalidated. */
const refreshAll = () => queryClient.invalidateQueries();

export const answerInvitation = mutationOptions({
  mutationKey: ['profile', 'answer-invitation'],
  mutationFn: ({ server, isAccepted }: { server: string; isAccepted: boolean }) =>
    call(isAccepted ? acceptInvitation : declineInvitation, { params: { server } }),
  onSettled: refreshAll,
});

export const leaveOwnNetwork = mutationOptions({
  mutationKey: ['profile', 'leave-network'],
  mutationFn: (server: string) => call(leaveNetwork, { params: { server } }),
  onSettled: refreshAll,
});
