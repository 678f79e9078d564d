import { Button } from '@mantine/core';
import type { SiteRefresh } from '@opensocial/contract';
import { IconFileOff, IconPencil, IconRefresh } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useParams } from 'react-router';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { queryClient } from '../../api/transport/query-client.ts';
import { BusyButton } from '../../patterns/busy-button/busy-button.tsx';
import { ErrorPanel } from '../../patterns/error-panel/error-panel.tsx';
import { Fact, Facts, FactsSkeleton } from '../../patterns/facts/facts.tsx';
import form from '../../patterns/form/form.module.css';
import { FormWarning } from '../../patterns/form/form-warning.tsx';
import { fullTime } from '../../patterns/format/format.ts';
import { Notice } from '../../patterns/notice/notice.tsx';
import { showErrorField } from '../../patterns/toast/show-error-field.tsx';
import { showSuccess } from '../../patterns/toast/show-success.tsx';
import { SiteDifferences } from './site-differences.tsx';
import { readMetadataNow, siteRefreshQuery } from './sites.refresh.api.ts';

const SiteModal = lazy(async () => ({ default: (await import('./site-modal.tsx')).SiteModal }));

/** §2.7, Metadata. */
export function SiteMetadataTab() {
  const { site_id = '', site_name: domain = '' } = useParams();
  const site = { id: Number(site_id), domain };
  const query = useQuery(siteRefreshQuery(site.id));
  const [isEditing, setIsEditing] = useState(false);
  const handleEdited = () => {
    setIsEditing(false);
    void queryClient.invalidateQueries({ queryKey: siteRefreshQuery(site.id).queryKey });
  };
  if (query.isLoadingError) return <ErrorPanel onRetry={() => void query.refetch()} retrying={query.isFetching} />;
  if (!query.data) return <FactsSkeleton label="Loading the metadata" lines={3} />;
  const edit = (
    <Button variant="default" leftSection={<IconPencil size={16} stroke={1.8} />} onClick={() => setIsEditing(true)}>
      Edit SSO parameters
    </Button>
  );
  return (
    <div className={form.form}>
      {query.data.metadata_url === '' ? (
        <Notice icon={<IconFileOff />} title="No metadata URL is set" action={edit}>
          With the address, you learn about changes at the site before they break sign-ins. Enter it in the SSO
          parameters.
        </Notice>
      ) : (
        <RefreshState site={site} refresh={query.data}>
          {edit}
        </RefreshState>
      )}
      <Suspense>{isEditing && <SiteModal site={{ ...site, protocol: 'saml' }} onClose={handleEdited} />}</Suspense>
    </div>
  );
}

type RefreshStateProps = { site: { id: number; domain: string }; refresh: SiteRefresh; children: ReactNode };

function RefreshState({ site, refresh, children }: RefreshStateProps) {
  const network = useAdminNetwork();
  const reading = useMutation(readMetadataNow(network, site.id));
  const handleRefresh = () =>
    reading.mutate(undefined, {
      onError: showErrorField,
      onSuccess: ({ failure, differences }) => {
        if (failure === '')
          showSuccess(
            differences.length === 0
              ? 'The metadata was read. Nothing differs.'
              : 'The metadata was read. Check the differences.',
          );
      },
    });
  return (
    <>
      {refresh.failure && <FormWarning>{describeFailure(refresh)}</FormWarning>}
      <Facts>
        <Fact label="Address">{refresh.metadata_url}</Fact>
        <Fact label="Last read" hint={refresh.next_at && `Next: ${fullTime(refresh.next_at)}`}>
          {refresh.read_at ? fullTime(refresh.read_at) : 'Not yet. It is read within ten minutes.'}
        </Fact>
        {refresh.valid_until && <Fact label="Valid until">{fullTime(refresh.valid_until)}</Fact>}
      </Facts>
      <div className={form.row}>
        <BusyButton
          variant="default"
          leftSection={<IconRefresh size={16} stroke={1.8} />}
          busy={reading.isPending}
          busyText="please wait ...."
          onClick={handleRefresh}
        >
          Refresh now
        </BusyButton>
        {children}
      </div>
      {/* Other differences have other checkboxes. */}
      {refresh.read_at && <SiteDifferences key={refresh.digest} site={site} refresh={refresh} />}
    </>
  );
}

const describeFailure = ({ failure, failing_since }: SiteRefresh): string =>
  `The metadata could not be read${failing_since ? ` since ${fullTime(failing_since)}` : ''}. ${failure}`;
