import { type SiteMode, type SiteRow, siteLabel } from '@opensocial/contract';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { OneByOneDialog } from '../../patterns/confirm/one-by-one-dialog.tsx';
import { changeMode, reloadSites } from './sites.api.ts';

type SiteModeDialogProps = { sites: readonly SiteRow[]; mode: SiteMode; onClose: () => void };

/** §2.6, confirm dialogs. */
export function SiteModeDialog({ sites, mode, onClose }: SiteModeDialogProps) {
  const network = useAdminNetwork();
  return (
    <OneByOneDialog
      title="Confirm changing site mode"
      text={`Are you sure you want to ${mode} the selected site ?`}
      names={sites.map(siteLabel)}
      action={mode === 'Open' ? 'Open' : 'Close'}
      rows={sites}
      busyText={({ domain }) => `Changing site mode ${domain}`}
      act={(site) => changeMode(network, site, mode)}
      onReload={() => void reloadSites(network)}
      onClose={onClose}
    />
  );
}
