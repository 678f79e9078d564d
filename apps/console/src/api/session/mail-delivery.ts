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

/**
 * The folder in which mails are saved instead of being sent, for owners of the main network, who may have access to it; null for others, and
 * undefined while it is loaded.
 */
export const useOutbox = (network: string): string | null | undefined =>
  useQuery(gettingStartedQuery(network)).data?.outbox;

/** Whether it is known that the service has no mail server. Only owners of a network are told. */
export const useLacksMail = (network: string): boolean =>
  useQuery(gettingStartedQuery(network)).data?.sends_mail === false;
