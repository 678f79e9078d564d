import type { UserRow } from '@opensocial/contract';
import { IconKey } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate, useParams } from 'react-router';
import { toSiteAccess } from '../../api/links/panel-links.ts';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { Notice } from '../../patterns/notice/notice.tsx';
import { RecordSelect } from '../../patterns/record-select/record-select.tsx';
import { accessQuery, personChoiceQuery } from './access-checks.api.ts';
import { AccessResult } from './access-result.tsx';
import classes from './access-tab.module.css';

const labelOf = ({ fullname, email }: { fullname: string; email: string }): string =>
  fullname ? `${fullname} (${email})` : email;

/** §2.7, Access tab: why a person may or may not enter the site. */
export function SiteAccessTab() {
  const network = useAdminNetwork();
  const { site_name: domain = '', site_id, checked_id } = useParams();
  const siteId = Number(site_id);
  const checked = checked_id === undefined ? undefined : { siteId, userId: Number(checked_id) };
  const { search } = useLocation();
  const navigate = useNavigate();
  const choose = (person: UserRow | undefined) =>
    void navigate(
      { pathname: toSiteAccess(network.name, { id: siteId, domain }, person?.id), search },
      { preventScrollReset: true },
    );
  return (
    <div className={classes.tab}>
      <PersonField checked={checked} onChoose={choose} />
      {checked ? (
        <AccessResult key={checked.userId} checked={checked} />
      ) : (
        <Notice icon={<IconKey />} title="Who may enter this site?">
          Choose a person to see every step of the decision, and where each can be changed.
        </Notice>
      )}
    </div>
  );
}

type PersonFieldProps = {
  checked: Parameters<typeof accessQuery>[0] | undefined;
  onChoose: (person: UserRow | undefined) => void;
};

function PersonField({ checked, onChoose }: PersonFieldProps) {
  const network = useAdminNetwork();
  const { data: check } = useQuery({
    ...accessQuery(checked ?? { siteId: 0, userId: 0 }),
    enabled: checked !== undefined,
  });
  return (
    <RecordSelect
      label="Person"
      placeholder="Search by name or email"
      query={(search) => personChoiceQuery(network, search)}
      labelOf={labelOf}
      noun="people"
      nothingFound="Nobody in this network matches."
      chosen={checked && check && { id: checked.userId, label: labelOf(check.user) }}
      onChoose={onChoose}
    />
  );
}
