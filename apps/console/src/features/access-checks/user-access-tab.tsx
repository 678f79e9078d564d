import { Button } from '@mantine/core';
import type { SiteRow, User } from '@opensocial/contract';
import { IconEye, IconKey } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useNavigate, useOutletContext, useParams } from 'react-router';
import { toUserAccess } from '../../api/links/panel-links.ts';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { Notice } from '../../patterns/notice/notice.tsx';
import { RecordSelect } from '../../patterns/record-select/record-select.tsx';
import { accessQuery, siteChoiceQuery } from './access-checks.api.ts';
import { toDesktopOfUser } from './access-checks.links.ts';
import { AccessResult } from './access-result.tsx';
import classes from './access-tab.module.css';

/** §2.8, Access tab: why the user may or may not enter a site. */
export function UserAccessTab() {
  const network = useAdminNetwork();
  const user = useOutletContext<User | undefined>();
  const { user_id, checked_id } = useParams();
  const userId = Number(user_id);
  const checked = checked_id === undefined ? undefined : { userId, siteId: Number(checked_id) };
  const { search } = useLocation();
  const navigate = useNavigate();
  const choose = (site: SiteRow | undefined) =>
    void navigate({ pathname: toUserAccess(network.name, userId, site?.id), search }, { preventScrollReset: true });
  const name = user?.fullname || user?.email || 'this user';
  return (
    <div className={classes.tab}>
      <div className={classes.choice}>
        <SiteField checked={checked} onChoose={choose} />
        <Button
          component={Link}
          to={toDesktopOfUser(network.name, userId)}
          variant="default"
          leftSection={<IconEye size={17} stroke={1.8} />}
        >
          View desktop as {name}
        </Button>
      </div>
      {checked ? (
        <AccessResult key={checked.siteId} checked={checked} />
      ) : (
        <Notice icon={<IconKey />} title={`May ${name} enter a site?`}>
          Choose a site to see every step of the decision, and where each can be changed.
        </Notice>
      )}
    </div>
  );
}

type SiteFieldProps = {
  checked: Parameters<typeof accessQuery>[0] | undefined;
  onChoose: (site: SiteRow | undefined) => void;
};

function SiteField({ checked, onChoose }: SiteFieldProps) {
  const network = useAdminNetwork();
  const { data: check } = useQuery({
    ...accessQuery(checked ?? { siteId: 0, userId: 0 }),
    enabled: checked !== undefined,
  });
  return (
    <RecordSelect
      label="Site"
      placeholder="Search by domain"
      query={(search) => siteChoiceQuery(network, search)}
      labelOf={({ domain }) => domain}
      noun="sites"
      nothingFound="No site of this network matches."
      chosen={checked && check && { id: checked.siteId, label: check.site.domain }}
      onChoose={onChoose}
    />
  );
}
