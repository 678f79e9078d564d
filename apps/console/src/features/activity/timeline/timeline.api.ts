import { getUserTimeline, type TimelineKind } from '@opensocial/contract';
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { call } from '../../../api/transport/caller.ts';
import type { NetworkRef } from '../../../api/transport/network-ref.ts';
import { userKey } from '../../../api/transport/query-keys.ts';

export const timelineQuery = (network: NetworkRef, userId: number, kind: TimelineKind | undefined) =>
  infiniteQueryOptions({
    queryKey: [...userKey(network, userId), 'timeline', kind ?? 'all'],
    queryFn: ({ pageParam, signal }) =>
      call(
        getUserTimeline,
        {
          params: { user_id: userId, server_id: network.id },
          query: { ...(kind && { kind }), ...(pageParam !== null && { after: pageParam }) },
        },
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });
