import { Skeleton } from '@mantine/core';
import { failureLabel, type SignInStatistics } from '@opensocial/contract';
import type { CSSProperties } from 'react';
import { Link } from 'react-router';
import { toFailedSignIns, toUsers } from '../../api/links/panel-links.ts';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { mainNetwork } from '../../api/session/role.ts';
import { dayOf, rangeText } from '../../patterns/date-range/days.ts';
import { formatNumber } from '../../patterns/format/format.ts';
import classes from './failures-card.module.css';
import { OverviewCard } from './overview-card.tsx';
import links from './overview-links.module.css';

type FailuresCardProps = { statistics: SignInStatistics | undefined };

/** Rows without scrolling. The last one sums up the rest. */
const shownReasons = 6;

type Row = { label: string; lines: number; reason?: string };

const toRows = (failures: SignInStatistics['failures']): Row[] => {
  const rows: Row[] = failures.map(({ reason, lines }) => ({ label: failureLabel(reason), lines, reason }));
  if (rows.length <= shownReasons) return rows;
  const rest = rows.slice(shownReasons - 1);
  const sum = rest.reduce((lines, row) => lines + row.lines, 0);
  return [...rows.slice(0, shownReasons - 1), { label: `${rest.length} other reasons`, lines: sum }];
};

/** The span of the numbers, so that the list has as many lines: since the first hour, or the days until today. */
const spanOf = (statistics: SignInStatistics | undefined): { time: string } | { since: string } => {
  const start = statistics?.buckets[0]?.start;
  if (start === undefined) return { time: '' };
  return statistics?.unit === 'hour'
    ? { since: start }
    : { time: rangeText({ from: dayOf(new Date(start)), to: dayOf(new Date()) }) };
};

/** Why sign-ins failed, as a table with a bar in each row. */
export function FailuresCard({ statistics }: FailuresCardProps) {
  const network = useAdminNetwork();
  const rows = toRows(statistics?.failures ?? []);
  const span = spanOf(statistics);
  const most = Math.max(1, ...rows.map(({ lines }) => lines));
  return (
    <OverviewCard
      title="Why sign-ins failed"
      note={
        <>
          Counts people who tried to sign in. If the request of an application is refused before that, the panel of the
          site shows it under Single sign-on.
          {network.name !== mainNetwork && (
            <>
              {' '}
              Wrong passwords at this console are in the tab Timeline of each person in{' '}
              <Link to={toUsers(network.name)}>Users</Link>.
            </>
          )}
        </>
      }
      tools={
        <Link className={links.link} to={toFailedSignIns(span)}>
          Show in Activity
        </Link>
      }
    >
      {!statistics ? (
        <Skeleton height={250} />
      ) : rows.length === 0 ? (
        <p className={classes.empty}>Nobody failed to sign in during this period.</p>
      ) : (
        <table className={classes.table}>
          <thead className="visually-hidden">
            <tr>
              <th scope="col">Reason</th>
              <th scope="col">Failed sign-ins</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ label, lines, reason }) => (
              <tr key={label} style={{ '--part': `${(100 * lines) / most}%` } as CSSProperties}>
                <th scope="row">
                  {reason ? (
                    <Link className={classes.reason} to={toFailedSignIns(span, reason)}>
                      {label}
                    </Link>
                  ) : (
                    label
                  )}
                </th>
                <td>{formatNumber(lines)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </OverviewCard>
  );
}
