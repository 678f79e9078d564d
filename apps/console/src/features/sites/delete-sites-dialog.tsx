import { type SiteRow, siteLabel } from '@opensocial/contract';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { DeleteDialog } from '../../patterns/confirm/delete-dialog.tsx';
import { deleteSite, reloadSites } from './sites.api.ts';

type DeleteSitesDialogProps = { sites: readonly SiteRow[]; onClose: () => void };

/** §2.6, confirm dialogs. */
export function DeleteSitesDialog({ sites, onClose }: DeleteSitesDialogProps) {
  const network = useAdminNetwork();
  return (
    <DeleteDialog
      network={network}
      title="Confirm deleting site"
      text="Are you sure you want to delete the selected site ?"
      rows={sites}
      nameOf={siteLabel}
      noun="sites"
      remove={(site) => deleteSite(network, site)}
      onReload={() => void reloadSites(network)}
      onClose={onClose}
    />
  );
}
