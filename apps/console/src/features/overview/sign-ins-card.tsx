import { Skeleton, UnstyledButton } from '@mantine/core';
import type { SignInStatistics } from '@opensocial/contract';
import { lazy, Suspense, useState } from 'react';
import { countOf, formatNumber } from '../../patterns/format/format.ts';
import { OverviewCard } from './overview-card.tsx';
import { longName } from './overview-texts.ts';
import classes from './sign-ins-card.module.css';

/** The library of the chart is loaded with the first chart, not with the screen. */
const SignInsChart = lazy(async () => ({ default: (await import('./sign-ins-chart.tsx')).SignInsChart }));

type SignInsCardProps = { statistics: SignInStatistics | undefined };

export function SignInsCard({ statistics }: SignInsCardProps) {
  const [isTable, setIsTable] = useState(false);
  return (
    <OverviewCard
      title={statistics?.unit === 'hour' ? 'Sign-ins per hour' : 'Sign-ins per day'}
      tools={
        <div className={classes.tools}>
          <ul className={classes.legend} aria-hidden={isTable}>
            <li data-status="succeeded">Successful</li>
            <li data-status="failed">Failed</li>
          </ul>
          <UnstyledButton className={classes.toggle} onClick={() => setIsTable(!isTable)} aria-pressed={isTable}>
            Show as table
          </UnstyledButton>
        </div>
      }
      note={statistics?.is_complete === false && 'Older sign-ins are still being counted.'}
    >
      <div className={classes.content}>
        {statistics ? (
          isTable ? (
            <SignInsTable statistics={statistics} />
          ) : (
            <Chart statistics={statistics} />
          )
        ) : (
          <Skeleton height="100%" />
        )}
      </div>
    </OverviewCard>
  );
}

type StatisticsProps = { statistics: SignInStatistics };

function Chart({ statistics }: StatisticsProps) {
  const { buckets, unit } = statistics;
  if (buckets.every(({ succeeded, failed }) => succeeded + failed === 0))
    return <p className={classes.empty}>Nobody signed in during this period.</p>;
  const most = buckets.reduce((best, bucket) => (bucket.succeeded > best.succeeded ? bucket : best));
  const summary = `Bar chart. ${unit === 'hour' ? 'Hour' : 'Day'} with most sign-ins: ${longName(most.start, unit)}, ${countOf(most.succeeded, 'successful sign-in', 'successful sign-ins')}. All numbers are in the table.`;
  return (
    <div className={classes.chart} role="img" aria-label={summary}>
      <Suspense fallback={<Skeleton height="100%" />}>
        <SignInsChart statistics={statistics} />
      </Suspense>
    </div>
  );
}

/** The same numbers, the newest first. It can be scrolled with the keyboard. */
function SignInsTable({ statistics: { buckets, unit } }: StatisticsProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- without the focus, the keyboard could not scroll it
    <div className={classes.scroller} role="region" aria-label="Sign-ins as a table" tabIndex={0}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{unit === 'hour' ? 'Hour' : 'Day'}</th>
            <th scope="col">Successful</th>
            <th scope="col">Failed</th>
          </tr>
        </thead>
        <tbody>
          {buckets.toReversed().map(({ start, succeeded, failed }) => (
            <tr key={start}>
              <th scope="row">{longName(start, unit)}</th>
              <td>{formatNumber(succeeded)}</td>
              <td data-failed={failed > 0 || undefined}>{formatNumber(failed)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
