import '../../../patterns/form/fields.css';
import { Switch } from '@mantine/core';
import { type SiteHealth as Health, siteLabels } from '@opensocial/contract';
import { IconActivityHeartbeat } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useAdminNetwork } from '../../../api/session/admin-network.ts';
import { BusyButton } from '../../../patterns/busy-button/busy-button.tsx';
import { ErrorPanel } from '../../../patterns/error-panel/error-panel.tsx';
import { Fact, Facts, FactsSkeleton } from '../../../patterns/facts/facts.tsx';
import formClasses from '../../../patterns/form/form.module.css';
import { formatDate, formatNumber, formatShare, fullTime } from '../../../patterns/format/format.ts';
import { StateBadge } from '../../../patterns/state-mark/state-mark.tsx';
import { describeEnd } from '../../../patterns/time/days-left.ts';
import { showErrorField } from '../../../patterns/toast/show-error-field.tsx';
import { changeHealth, checkNow, healthQuery } from './health.api.ts';

type SiteHealthProps = { siteId: number };

/** §2.7: whether a site works, and whether that is checked and shown. */
export function SiteHealth({ siteId }: SiteHealthProps) {
  const query = useQuery(healthQuery(siteId));
  if (query.isLoadingError) return <ErrorPanel onRetry={() => void query.refetch()} retrying={query.isFetching} />;
  if (!query.data) return <FactsSkeleton label="Checking the health" lines={4} />;
  const health = query.data;
  return (
    <>
      <Facts>
        <Fact label="Address for responses" hint={hintOfCheck(health)}>
          <CheckState health={health} />
        </Fact>
        {health.metadata && (
          <Fact label="Metadata URL" hint={hintOfMetadata(health.metadata)}>
            <MetadataState metadata={health.metadata} />
          </Fact>
        )}
        {health.certificate_ends && (
          <Fact label="Certificate" hint={`Valid until ${formatDate(health.certificate_ends)}.`}>
            <StateBadge tone={describeEnd(health.certificate_ends).tone}>
              {describeEnd(health.certificate_ends).text}
            </StateBadge>
          </Fact>
        )}
        <Fact
          label="Sign-ins of people"
          hint="The most recent ones of the last seven days, at most 50, as in Activity."
        >
          {describeRate(health.recent_sign_ins)}
        </Fact>
        <Fact
          label="Refused requests"
          hint="Requests of the application that we refused in the last seven days, before anybody could sign in. Diagnosis lists them."
        >
          {describeRefused(health.refused_requests)}
        </Fact>
      </Facts>
      <HealthSettings siteId={siteId} health={health} />
    </>
  );
}

const describeRate = ({ total, failed }: Health['recent_sign_ins']): string => {
  if (total === 0) return 'None in the last seven days';
  return failed === 0
    ? `${formatNumber(total)} succeeded, none failed`
    : `${formatNumber(failed)} of ${formatNumber(total)} failed (${formatShare(failed, total)})`;
};

const describeRefused = ({ total, last_at }: Health['refused_requests']): string =>
  last_at === null ? 'None' : `${formatNumber(total)}, the last one on ${fullTime(last_at)}`;

type CheckStateProps = { health: Health };

function CheckState({ health: { checks_reachability, unchecked_because, check } }: CheckStateProps) {
  if (!checks_reachability || unchecked_because) return <StateBadge tone="quiet">Not checked</StateBadge>;
  if (!check) return <StateBadge tone="quiet">Not checked yet</StateBadge>;
  if (check.outcome === 'skipped') return <StateBadge tone="quiet">Not checked</StateBadge>;
  return check.outcome === 'reached' ? (
    <StateBadge tone="good">Reachable</StateBadge>
  ) : (
    <StateBadge tone="bad">Not reachable</StateBadge>
  );
}

const hintOfCheck = ({ address, checks_reachability, unchecked_because, check }: Health): string => {
  if (unchecked_because) return [address, `It is not checked: ${unchecked_because}`].filter(Boolean).join('. ');
  if (!checks_reachability) return address;
  if (!check) return `${address}. It is checked within ten minutes.`;
  if (check.outcome === 'skipped') return `${address}. ${check.detail}`;
  if (check.outcome === 'reached') return `${address}. Checked ${fullTime(check.tried_at)}.`;
  const since = check.failing_since ? ` Since ${fullTime(check.failing_since)}.` : '';
  return `${address}. ${check.detail}${since} The check is made from the server, so people may still reach the application.`;
};

type MetadataFacts = NonNullable<Health['metadata']>;
type MetadataStateProps = { metadata: MetadataFacts };

function MetadataState({ metadata: { failure, read_at } }: MetadataStateProps) {
  if (failure) return <StateBadge tone="bad">Not readable</StateBadge>;
  return read_at ? <StateBadge tone="good">Readable</StateBadge> : <StateBadge tone="quiet">Not read yet</StateBadge>;
}

const hintOfMetadata = ({ url, failure, failing_since, read_at }: MetadataFacts): string => {
  if (failure) return `${url}. ${failure}${failing_since ? ` Since ${fullTime(failing_since)}.` : ''}`;
  return read_at ? `${url}. Read ${fullTime(read_at)}.` : `${url}. It is read within ten minutes.`;
};

type HealthSettingsProps = { siteId: number; health: Health };

/** Each switch is saved at once. */
function HealthSettings({ siteId, health }: HealthSettingsProps) {
  const network = useAdminNetwork();
  const checking = useMutation(checkNow(network, siteId));
  const changing = useMutation(changeHealth(network, siteId));
  // While a change is saved, the switches show what was chosen.
  const { checks_reachability, shows_unreachable } = changing.isPending ? changing.variables : health;
  const isCheckable = health.unchecked_because === '';
  const isChecked = checks_reachability && isCheckable;
  const change = (changes: Partial<Pick<Health, 'checks_reachability' | 'shows_unreachable'>>) => {
    if (changing.isPending) return;
    changing.mutate(
      { checks_reachability, shows_unreachable, ...changes, based_on: health.version },
      { onError: showErrorField },
    );
  };
  return (
    <>
      <Switch
        label={siteLabels.checks_reachability}
        checked={isChecked}
        disabled={!isCheckable}
        onChange={(event) => change({ checks_reachability: event.currentTarget.checked })}
      />
      <Switch
        label={siteLabels.shows_unreachable}
        checked={isChecked && shows_unreachable}
        disabled={!isChecked}
        onChange={(event) => change({ shows_unreachable: event.currentTarget.checked })}
      />
      {isChecked && (
        <div className={formClasses.row}>
          <BusyButton
            variant="default"
            leftSection={<IconActivityHeartbeat size={16} stroke={1.8} />}
            busy={checking.isPending}
            busyText="please wait ...."
            onClick={() => checking.mutate(undefined, { onError: showErrorField })}
          >
            Check now
          </BusyButton>
        </div>
      )}
    </>
  );
}
