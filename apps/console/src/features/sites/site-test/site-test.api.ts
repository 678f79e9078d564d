import { beginSiteTest, getSiteTest, type SignedElements, type SiteTest } from '@opensocial/contract';
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../../api/transport/caller.ts';
import { queryClient } from '../../../api/transport/query-client.ts';

/** The owner works in another tab meanwhile, and looks here for the result. */
const liveInterval = 2_000;

/** Whether the test can still change. An application may send another request after one that failed. */
const isLive = ({ state, expires_at }: SiteTest): boolean =>
  (state === 'waiting' || state === 'running' || state === 'failed') && Date.parse(expires_at) > Date.now();

export const siteTestQuery = (id: number) =>
  queryOptions({
    queryKey: ['sites', 'test', id],
    queryFn: async ({ signal }) => (await call(getSiteTest, { params: { site_id: id } }, signal)).test,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data && isLive(data) ? liveInterval : false),
    // The tab with the application is in front.
    refetchIntervalInBackground: true,
  });

export const beginTest = (id: number) =>
  mutationOptions({
    mutationKey: ['sites', 'test', id, 'begin'],
    mutationFn: (signs?: Extract<SignedElements, 'assertion'>) =>
      call(beginSiteTest, { params: { site_id: id }, query: { signs } }),
    onSuccess: (test: SiteTest) => queryClient.setQueryData(siteTestQuery(id).queryKey, test),
  });
