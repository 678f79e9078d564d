import type { SiteDiagnosis as Diagnosis, FindingPlace, SiteExchange } from '@opensocial/contract';
import { IconEye, IconStethoscope } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { queryClient } from '../../../api/transport/query-client.ts';
import { BusyButton } from '../../../patterns/busy-button/busy-button.tsx';
import { ConfirmDialog } from '../../../patterns/confirm/confirm-dialog.tsx';
import { ErrorPanel } from '../../../patterns/error-panel/error-panel.tsx';
import { FactsSkeleton } from '../../../patterns/facts/facts.tsx';
import form from '../../../patterns/form/form.module.css';
import { Notice } from '../../../patterns/notice/notice.tsx';
import { shortTime } from '../../../patterns/time/log-time.ts';
import { showErrorField } from '../../../patterns/toast/show-error-field.tsx';
import { showSuccess } from '../../../patterns/toast/show-success.tsx';
import { diagnosisQuery, fixByExchange, watchForTenMinutes } from './diagnosis.api.ts';
import { ExchangeItem } from './exchange-item.tsx';
import { FindingDetails } from './finding-details.tsx';
import classes from './site-diagnosis.module.css';

const SiteModal = lazy(async () => ({ default: (await import('../site-modal.tsx')).SiteModal }));

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
  const [isEditing, setIsEditing] = useState(false);
  const [asked, setAsked] = useState<{ exchange: SiteExchange; version: number }>();
  const placeAction = (place: FindingPlace) => (place === 'parameters' ? () => setIsEditing(true) : undefined);
  const handleEdited = () => {
    setIsEditing(false);
    void queryClient.invalidateQueries({ queryKey: diagnosisQuery(site.id).queryKey });
  };
  return (
    <div className={form.form}>
      <WatchBar id={site.id} watchedUntil={diagnosis.watched_until} />
      {warnings.map((warning) => (
        <div key={warning.sentence} className={classes.warning}>
          <p className={classes.sentence}>{warning.sentence}</p>
          <FindingDetails site={site} finding={warning} onEdit={placeAction(warning.place)} />
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
              site={site}
              exchange={exchange}
              isOpened={index === 0 && exchange.finding.is_current}
              onFix={() => setAsked({ exchange, version: diagnosis.version })}
              onEdit={placeAction(exchange.finding.place)}
            />
          ))}
        </ul>
      )}
      {asked && <FixDialog site={site} {...asked} onClose={() => setAsked(undefined)} />}
      <Suspense>{isEditing && <SiteModal site={{ ...site, protocol }} onClose={handleEdited} />}</Suspense>
    </div>
  );
}

type WatchBarProps = { id: number; watchedUntil: string | null };

function WatchBar({ id, watchedUntil }: WatchBarProps) {
  const watching = useMutation(watchForTenMinutes(id));
  return (
    <div className={classes.bar}>
      <p className={form.hint} role="status">
        {watchedUntil
          ? `Every sign-in is recorded until ${shortTime(watchedUntil)}.`
          : 'The last failed sign-ins of seven days, and a few that worked. The list is updated by itself.'}
      </p>
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
    </div>
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
      text={`The data of people who sign in to ${site.domain} is then sent to the new address. The owners of the network get a mail.`}
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
