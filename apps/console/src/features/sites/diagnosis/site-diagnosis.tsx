import type { SiteDiagnosis as Diagnosis, SiteExchange } from '@opensocial/contract';
import { IconEye, IconStethoscope } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { BusyButton } from '../../../patterns/busy-button/busy-button.tsx';
import { ConfirmDialog } from '../../../patterns/confirm/confirm-dialog.tsx';
import { ErrorPanel } from '../../../patterns/error-panel/error-panel.tsx';
import { FactsSkeleton } from '../../../patterns/facts/facts.tsx';
import form from '../../../patterns/form/form.module.css';
import { shortTime } from '../../../patterns/format/format.ts';
import { Notice } from '../../../patterns/notice/notice.tsx';
import { showErrorField } from '../../../patterns/toast/show-error-field.tsx';
import { showSuccess } from '../../../patterns/toast/show-success.tsx';
import { SectionBar } from '../sso/section-bar.tsx';
import { diagnosisQuery, fixByExchange, watchForTenMinutes } from './diagnosis.api.ts';
import { ExchangeItem } from './exchange-item.tsx';
import { FindingDetails } from './finding-details.tsx';
import { ReferenceSearch } from './reference-search.tsx';
import classes from './site-diagnosis.module.css';

type SiteDiagnosisProps = { site: { id: number; domain: string } };

/** §2.7: the recent sign-ins at a site, why they failed, and what to do about it. It is loaded again while it is shown. */
export function SiteDiagnosis({ site }: SiteDiagnosisProps) {
  const query = useQuery(diagnosisQuery(site.id));
  if (query.isLoadingError) return <ErrorPanel onRetry={() => void query.refetch()} retrying={query.isFetching} />;
  if (!query.data) return <FactsSkeleton label="Loading the recent sign-ins" lines={4} />;
  return <LoadedDiagnosis site={site} diagnosis={query.data} />;
}

type LoadedDiagnosisProps = SiteDiagnosisProps & { diagnosis: Diagnosis };

function LoadedDiagnosis({ site, diagnosis }: LoadedDiagnosisProps) {
  const { exchanges, warnings, protocol } = diagnosis;
  const diagnosed = { ...site, protocol };
  const [asked, setAsked] = useState<{ exchange: SiteExchange; version: number }>();
  return (
    <div className={form.form}>
      <WatchBar id={site.id} watchedUntil={diagnosis.watched_until} />
      <ReferenceSearch siteId={site.id} />
      {warnings.map((warning) => (
        <div key={warning.sentence} className={classes.warning}>
          <p className={classes.sentence}>{warning.sentence}</p>
          <FindingDetails site={diagnosed} finding={warning} />
        </div>
      ))}
      {exchanges.length === 0 ? (
        <Notice icon={<IconStethoscope />} title="No recent sign-in is recorded">
          Start one in the application, or use Test sign-in.
        </Notice>
      ) : (
        <ul className={classes.list}>
          {exchanges.map((exchange, index) => (
            <ExchangeItem
              key={exchange.id}
              site={diagnosed}
              exchange={exchange}
              isOpened={index === 0 && exchange.finding.is_current}
              onFix={() => setAsked({ exchange, version: diagnosis.version })}
            />
          ))}
        </ul>
      )}
      {asked && <FixDialog site={site} {...asked} onClose={() => setAsked(undefined)} />}
    </div>
  );
}

type WatchBarProps = { id: number; watchedUntil: string | null };

function WatchBar({ id, watchedUntil }: WatchBarProps) {
  const watching = useMutation(watchForTenMinutes(id));
  return (
    <SectionBar
      isStatus
      text={
        watchedUntil
          ? `Every sign-in is recorded until ${shortTime(watchedUntil)}.`
          : 'The last failed sign-ins of seven days, and a few that worked. The list is updated by itself.'
      }
    >
      {!watchedUntil && (
        <BusyButton
          variant="default"
          leftSection={<IconEye size={16} stroke={1.8} />}
          busy={watching.isPending}
          onClick={() => watching.mutate(undefined, { onError: showErrorField })}
        >
          Record all for 10 minutes
        </BusyButton>
      )}
    </SectionBar>
  );
}

type FixDialogProps = SiteDiagnosisProps & { exchange: SiteExchange; version: number; onClose: () => void };

function FixDialog({ site, exchange, version, onClose }: FixDialogProps) {
  const fixing = useMutation(fixByExchange(site.id));
  const { fix } = exchange.finding;
  if (!fix) return null;
  const handleConfirm = () =>
    fixing.mutate(
      { exchange: exchange.id, version },
      {
        onError: showErrorField,
        onSuccess: () => showSuccess('Site sucessfully updated.'),
        onSettled: onClose,
      },
    );
  return (
    <ConfirmDialog
      title={fix.label}
      text={`The data of people who sign in to ${site.domain} is then sent to the new address. The owners of the network get an email.`}
      action={fix.label}
      busy={fixing.isPending}
      onConfirm={handleConfirm}
      onCancel={onClose}
    >
      <dl className={classes.change}>
        <dt>Registered</dt>
        <dd>{fix.before}</dd>
        <dt>New</dt>
        <dd>{fix.after}</dd>
      </dl>
    </ConfirmDialog>
  );
}
