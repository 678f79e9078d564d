import { useQuery } from '@tanstack/react-query';
import { Outlet, useNavigate, useParams } from 'react-router';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { ErrorPanel } from '../../patterns/error-panel/error-panel.tsx';
import { PageHeading } from '../../patterns/page/page-heading.tsx';
import { desktopConfigQuery } from './desktop-config.api.ts';
import { toUpdateSite } from './desktop-config.links.ts';
import { DesktopLists } from './desktop-lists.tsx';
import { ModeField } from './mode-field.tsx';
import classes from './user-desktop.module.css';

/** §2.11, User Desktop: the sites that users see on the desktop, their order and the mode. */
export function UserDesktop() {
  const network = useAdminNetwork();
  const navigate = useNavigate();
  const { site_id } = useParams();
  const config = useQuery(desktopConfigQuery(network));
  return (
    <div className={classes.page} data-fills-window>
      <PageHeading title="User Desktop" />
      {config.isPending && <Placeholders />}
      {config.isLoadingError && <ErrorPanel onRetry={config.refetch} retrying={config.isFetching} />}
      {config.data && (
        <>
          <ModeField network={network} mode={config.data.mode} version={config.data.modeVersion} />
          <DesktopLists
            network={network}
            arrangement={config.data}
            opened={site_id === undefined ? undefined : Number(site_id)}
            onOpen={(id) => void navigate(toUpdateSite(network.name, id), { preventScrollReset: true })}
          />
        </>
      )}
      <Outlet />
    </div>
  );
}

/** Placeholders with the size of the lists, so that the layout does not shift. */
function Placeholders() {
  return (
    <div className={classes.placeholders} role="status" aria-label="Loading the desktop">
      <span className={classes.placeholder} data-mode />
      <span className={classes.placeholder} />
      <span className={classes.placeholder} />
    </div>
  );
}
