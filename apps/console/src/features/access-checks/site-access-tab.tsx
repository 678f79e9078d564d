import { useParams } from 'react-router';
import { toSiteAccess } from '../../api/links/panel-links.ts';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { PersonSelect } from '../../patterns/person-select/person-select.tsx';
import { useCheck } from './access-checks.api.ts';
import { AccessTab, useOpenCheck } from './access-tab.tsx';

/** §2.7, Access tab: why a person may or may not enter the site. */
export function SiteAccessTab() {
  const network = useAdminNetwork();
  const { site_name: domain = '', site_id, checked_id } = useParams();
  const siteId = Number(site_id);
  const checked = checked_id === undefined ? undefined : { siteId, userId: Number(checked_id) };
  const check = useCheck(checked);
  const open = useOpenCheck();
  return (
    <AccessTab checked={checked} title="Who may enter this site?" noun="person">
      <PersonSelect
        chosen={check?.user}
        onChoose={(person) => open(toSiteAccess(network.name, { id: siteId, domain }, person?.id))}
      />
    </AccessTab>
  );
}
