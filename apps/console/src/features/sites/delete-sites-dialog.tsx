import type { SiteRow } from '@opensocial/contract';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { OneByOneDialog } from '../../patterns/confirm/one-by-one-dialog.tsx';
import { deleteSite, reloadSites } from './sites.api.ts';

type DeleteSitesDialogProps = { sites: readonly SiteRow[]; onClose: () => void };

/** §2.6, confirm dialogs. */
export function DeleteSitesDialog({ sites, onClose }: DeleteSitesDialogProps) {
  const network = useAdminNetwork();
  return (
    <OneByOneDialog
      title="Confirm deleting site"
      text="Are you sure you want to delete the selected site ?"
      names={sites.map(({ domain }) => domain)}
      action="Delete"
      danger
      rows={sites}
      busyText={({ domain }) => `Deleting ${domain}`}
      act={(site) => deleteSite(network, site)}
      onReload={() => void reloadSites(network)}
      onClose={onClose}
    />
  );
}
