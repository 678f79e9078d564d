import '../../patterns/form/fields.css';
import { Button, SegmentedControl } from '@mantine/core';
import { type Overview, OverviewPeriod, type SignInStatistics } from '@opensocial/contract';
import { IconChartBar } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { toConnect, toSites } from '../../api/links/panel-links.ts';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { ErrorPanel } from '../../patterns/error-panel/error-panel.tsx';
import { Notice } from '../../patterns/notice/notice.tsx';
import { PageHeading } from '../../patterns/page/page-heading.tsx';
import { AttentionCard } from './attention-card.tsx';
import { FailuresCard } from './failures-card.tsx';
import { NumberCards } from './number-cards.tsx';
import { overviewQuery, signInsQuery } from './overview.api.ts';
import classes from './overview-page.module.css';
import { periodLabels } from './overview-texts.ts';
import { SignInsCard } from './sign-ins-card.tsx';
import { MostUsedCard, NeverUsedCard } from './site-cards.tsx';

const usualPeriod = '30d';

/** The period is in the address, so that a link includes it. */
const usePeriod = () => {
  const [params, setParams] = useSearchParams();
  const { data: period = usualPeriod } = OverviewPeriod.safeParse(params.get('period'));
  const setPeriod = (next: string) =>
    setParams(next === usualPeriod ? {} : { period: next }, { replace: true, preventScrollReset: true });
  return { period, setPeriod };
};

/** §2.17. */
export function OverviewPage() {
  const network = useAdminNetwork();
  const { period, setPeriod } = usePeriod();
  const overview = useQuery(overviewQuery(network));
  const signIns = useQuery(signInsQuery(network, period));
  const failed = [overview, signIns].find(({ isLoadingError }) => isLoadingError);
  return (
    <>
      <PageHeading eyebrow={network.name} title="Overview">
        <SegmentedControl
          aria-label="Period"
          value={period}
          onChange={setPeriod}
          data={OverviewPeriod.options.map((value) => ({ value, label: periodLabels[value] }))}
        />
      </PageHeading>
      {failed ? (
        <ErrorPanel
          onRetry={() => void Promise.all([overview.refetch(), signIns.refetch()])}
          retrying={failed.isFetching}
        />
      ) : (
        <Cards overview={overview.data} statistics={signIns.data} isReloading={signIns.isPlaceholderData} />
      )}
    </>
  );
}

type CardsProps = {
  overview: Overview | undefined;
  statistics: SignInStatistics | undefined;
  isReloading: boolean;
};

function Cards({ overview, statistics, isReloading }: CardsProps) {
  const isUnused = overview?.sites.since === null;
  return (
    <div className={classes.cards} aria-busy={!overview || !statistics || isReloading}>
      <NumberCards statistics={statistics} overview={overview} />
      {isUnused ? (
        <FirstSteps sites={overview.sites.total} />
      ) : (
        <div className={classes.signIns} data-reloading={isReloading || undefined}>
          <SignInsCard statistics={statistics} />
          <FailuresCard statistics={statistics} />
        </div>
      )}
      <div className={classes.lists}>
        <AttentionCard overview={overview} />
        <MostUsedCard sites={overview?.sites} />
        <NeverUsedCard sites={overview?.sites} />
      </div>
    </div>
  );
}

type FirstStepsProps = { sites: number };

/** In place of the charts while the log is empty: what to do first. */
function FirstSteps({ sites }: FirstStepsProps) {
  const { name } = useAdminNetwork();
  return (
    <div className={classes.first}>
      <Notice
        icon={<IconChartBar />}
        title="Nobody has signed in yet"
        action={
          sites === 0 ? (
            <Button component={Link} to={toConnect(name)}>
              Connect an application
            </Button>
          ) : (
            <Button component={Link} to={toSites(name)}>
              Open the sites
            </Button>
          )
        }
      >
        {sites === 0
          ? 'Connect the first application. As soon as people sign in to it, you see here how often, and why sign-ins fail.'
          : 'Sign in to one of your sites, or test its sign-in on its tab Single sign-on. The numbers then appear here.'}
      </Notice>
    </div>
  );
}
