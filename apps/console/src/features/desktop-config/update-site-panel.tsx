import '../../patterns/form/fields.css';
import { Skeleton } from '@mantine/core';
import { ApiError } from '@opensocial/contract';
import { initialOf } from '@opensocial/look/initial';
import { IconWorldOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { toUserDesktop } from '../../api/links/panel-links.ts';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { ErrorPanel } from '../../patterns/error-panel/error-panel.tsx';
import classes from '../../patterns/form/form.module.css';
import { Notice } from '../../patterns/notice/notice.tsx';
import { SidePanel } from '../../patterns/side-panel/side-panel.tsx';
import { findApp } from './arrangement.ts';
import { desktopConfigQuery, tileQuery } from './desktop-config.api.ts';
import { TilePlaceField } from './tile-place-field.tsx';
import { UpdateSiteForm } from './update-site-form.tsx';

const isGone = (error: Error | null): boolean => error instanceof ApiError && error.status === 404;

/** §2.11, the Update Site panel. */
export function UpdateSitePanel() {
  const network = useAdminNetwork();
  const id = Number(useParams()['site_id']);
  const { data: site, ...query } = useQuery(tileQuery(id));
  const { data: config } = useQuery(desktopConfigQuery(network));
  const app = config && findApp(config, id);
  const isThere = site && config;
  return (
    <SidePanel
      closeTo={toUserDesktop(network.name)}
      plate={initialOf(site?.site_name ?? ' ')}
      name="Update Site"
      record={site?.site_name ?? ''}
      state={site?.domain ?? ' '}
    >
      {query.isLoadingError &&
        (isGone(query.error) ? (
          <Notice icon={<IconWorldOff />} title="This site was not found">
            It was deleted, or it belongs to another network.
          </Notice>
        ) : (
          <ErrorPanel onRetry={query.refetch} retrying={query.isFetching} />
        ))}
      {query.isPending && <Placeholder />}
      {isThere && (
        <div className={classes.form}>
          <UpdateSiteForm key={site.id} site={site} shownUrl={app?.login_url ?? ''} network={network} />
          <TilePlaceField network={network} id={id} config={config} />
        </div>
      )}
    </SidePanel>
  );
}

function Placeholder() {
  return (
    <div className={classes.form} role="status" aria-label="Loading the site">
      {[158, 66, 66, 88, 88].map((height, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the placeholders never change
        <Skeleton key={index} height={height} radius="md" />
      ))}
    </div>
  );
}
