import { getGettingStarted } from '@opensocial/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../transport/caller.ts';

export const gettingStartedQuery = (network: string) =>
  queryOptions({
    queryKey: ['getting-started', network],
    queryFn: ({ signal }) => call(getGettingStarted, { params: { server: network } }, signal),
    // The steps are done on other screens, so the list is read again whenever it is shown.
    staleTime: 0,
  });

/** Whether it is known that the service has no mail server. Only owners of a network are told. */
export const useLacksMail = (network: string): boolean =>
  useQuery(gettingStartedQuery(network)).data?.sends_mail === false;
