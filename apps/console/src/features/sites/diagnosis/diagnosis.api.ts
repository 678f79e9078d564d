import {
  dismissUnknownApplication,
  fixSite,
  getSiteDiagnosis,
  listUnknownApplications,
  type SiteDiagnosis,
  type UnknownApplication,
  watchSite,
} from '@opensocial/contract';
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../../api/transport/caller.ts';
import type { NetworkRef } from '../../../api/transport/network-ref.ts';
import { queryClient } from '../../../api/transport/query-client.ts';

/** People try to sign in while they look at it. */
const liveInterval = 4_000;
const listInterval = 60_000;

export const diagnosisQuery = (id: number) =>
  queryOptions({
    queryKey: ['sites', 'diagnosis', id],
    queryFn: ({ signal }) => call(getSiteDiagnosis, { params: { site_id: id } }, signal),
    staleTime: 0,
    refetchInterval: liveInterval,
  });

const cacheDiagnosis = (id: number) => (diagnosis: SiteDiagnosis) => {
  queryClient.setQueryData(diagnosisQuery(id).queryKey, diagnosis);
};

export const watchForTenMinutes = (id: number) =>
  mutationOptions({
    mutationKey: ['sites', 'diagnosis', id, 'watch'],
    mutationFn: () => call(watchSite, { params: { site_id: id } }),
    onSuccess: cacheDiagnosis(id),
  });

export const fixByExchange = (id: number) =>
  mutationOptions({
    mutationKey: ['sites', 'diagnosis', id, 'fix'],
    mutationFn: ({ exchange, version }: { exchange: number; version: number }) =>
      call(fixSite, { params: { site_id: id, exchange_id: exchange }, body: { based_on: version } }),
    onSuccess: async (diagnosis) => {
      cacheDiagnosis(id)(diagnosis);
      // The other parts of the panel show the address too.
      await queryClient.invalidateQueries({
        queryKey: ['sites'],
        predicate: ({ queryKey }) => queryKey[1] !== 'diagnosis',
      });
    },
    // Most often somebody else has changed the site in the meantime.
    onError: () => queryClient.invalidateQueries({ queryKey: diagnosisQuery(id).queryKey }),
  });

export const unknownApplicationsQuery = (network: NetworkRef) =>
  queryOptions({
    queryKey: ['sites', 'unknown', network.id],
    queryFn: async ({ signal }) =>
      (await call(listUnknownApplications, { params: { server_name: network.name } }, signal)).applications,
    refetchInterval: listInterval,
  });

export const reloadUnknownApplications = (network: NetworkRef): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: unknownApplicationsQuery(network).queryKey });

export const dismissApplication = (network: NetworkRef) =>
  mutationOptions({
    mutationKey: ['sites', 'unknown', network.id, 'dismiss'],
    mutationFn: ({ id }: UnknownApplication) =>
      call(dismissUnknownApplication, { params: { server_name: network.name, id } }),
    onSettled: () => reloadUnknownApplications(network),
  });
