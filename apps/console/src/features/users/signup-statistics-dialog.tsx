import { Button, RingProgress, SegmentedControl } from '@mantine/core';
import { Dialog } from '../../patterns/dialog/dialog.tsx';
import '@mantine/core/styles/RingProgress.layer.css';
import '../../patterns/form/fields.css';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { useOwnsMainNetwork } from '../../api/session/role.ts';
import { DateRange } from '../../patterns/date-range/date-range.tsx';
import { readDays } from '../../patterns/date-range/days.ts';
import { ErrorPanel } from '../../patterns/error-panel/error-panel.tsx';
import { formatDay, formatNumber } from '../../patterns/format/format.ts';
import classes from './signup-statistics-dialog.module.css';
import { signupStatisticsQuery } from './users.api.ts';

type SignupStatisticsDialogProps = { onClose: () => void };

/** §2.8: the chart is 500 × 400 pixels and its inner radius is 82 % of the outer radius. */
const chart = { size: 380, thickness: 28.23 };

/** §2.8, signup statistics. The specification fixes the spelling of the title. */
export function SignupStatisticsDialog({ onClose }: SignupStatisticsDialogProps) {
  const network = useAdminNetwork();
  const [days, setDays] = useState('today');
  const asked = readDays(days);
  const [scope, setScope] = useState('network');
  const canChooseAll = useOwnsMainNetwork();
  const isAll = scope === 'all';
  const statistics = useQuery(signupStatisticsQuery(isAll ? undefined : network, asked));
  const { total = 0, confirmed = 0, non_confirmed = 0 } = statistics.data ?? {};
  const share = (part: number) => (total === 0 ? 0 : (100 * part) / total);
  return (
    <Dialog onClose={onClose} title="New Users Signup Statistcs" size={560}>
      <div className={classes.body}>
        {canChooseAll && (
          <SegmentedControl
            value={scope}
            onChange={setScope}
            aria-label="Network"
            data={[
              { value: 'network', label: network.name },
              { value: 'all', label: 'all sso servers' },
            ]}
          />
        )}
        <DateRange
          label="Date range"
          value={days}
          onChange={(range) => {
            if (range !== '') setDays(range);
          }}
          onChoose={setDays}
        />
        <p className={classes.facts}>
          {asked.from === asked.to ? formatDay(asked.from) : `${formatDay(asked.from)} – ${formatDay(asked.to)}`}
          <br />
          SSO Server: {isAll ? 'all sso servers' : network.name}
        </p>
        {statistics.isLoadingError ? (
          <ErrorPanel onRetry={statistics.refetch} retrying={statistics.isFetching} />
        ) : (
          <figure className={classes.chart} aria-busy={statistics.isFetching}>
            <RingProgress
              {...chart}
              aria-hidden="true"
              sections={[
                { value: share(confirmed), color: 'var(--accent)' },
                { value: share(non_confirmed), color: 'var(--warn)' },
              ]}
              label={
                <span className={classes.total}>
                  <strong>{formatNumber(total)}</strong>
                  new users
                </span>
              }
            />
            <figcaption>
              <div className={classes.legend} role="status">
                <span className="visually-hidden">Total {formatNumber(total)}</span>
                <span className={classes.item} data-part="confirmed">
                  confirmed <strong>{formatNumber(confirmed)}</strong>
                </span>
                <span className={classes.item} data-part="waiting">
                  non-confirmed <strong>{formatNumber(non_confirmed)}</strong>
                </span>
              </div>
            </figcaption>
          </figure>
        )}
        <div className={classes.buttons}>
          <Button variant="default" onClick={onClose}>
            close this
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
