import { IconWorldOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { isGone } from '../../../api/transport/is-gone.ts';
import { ErrorPanel } from '../../../patterns/error-panel/error-panel.tsx';
import { FactsSkeleton } from '../../../patterns/facts/facts.tsx';
import { Notice } from '../../../patterns/notice/notice.tsx';
import { siteQuery } from '../sites.api.ts';
import { siteOverviewQuery } from '../sso/sites.overview.api.ts';

/** The site of the address with its state, or what is shown until it is loaded. `interval`: how often the state is read again. */
export const useConnectedSite = (interval: number | false = false) => {
  const id = Number(useParams()['site_id']);
  const [params] = useSearchParams();
  const site = useQuery(siteQuery(id));
  const overview = useQuery(siteOverviewQuery(id, interval));
  const app = params.get('app') ?? '';
  if (site.data && overview.data) return { site: site.data, overview: overview.data, app, placeholder: undefined };
  return { site: undefined, overview: undefined, app, placeholder: placeholderOf(site, overview) };
};

type Loading = { isLoadingError: boolean; error: Error | null; isFetching: boolean; refetch: () => unknown };

const placeholderOf = (...queries: Loading[]): ReactNode => {
  const failed = queries.find(({ isLoadingError }) => isLoadingError);
  if (!failed) return <FactsSkeleton label="Loading the site" lines={5} />;
  if (isGone(failed.error))
    return (
      <Notice icon={<IconWorldOff />} title="This site was not found">
        It was deleted, or it belongs to another network.
      </Notice>
    );
  return <ErrorPanel onRetry={() => void failed.refetch()} retrying={failed.isFetching} />;
};
