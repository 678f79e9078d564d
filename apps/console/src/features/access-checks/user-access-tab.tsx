import { Button } from '@mantine/core';
import { siteLabel, type User } from '@opensocial/contract';
import { IconEye } from '@tabler/icons-react';
import { Link, useOutletContext, useParams } from 'react-router';
import { toUserAccess } from '../../api/links/panel-links.ts';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { RecordSelect } from '../../patterns/record-select/record-select.tsx';
import { siteChoiceQuery, useCheck } from './access-checks.api.ts';
import { toDesktopOfUser } from './access-checks.links.ts';
import classes from './access-tab.module.css';
import { AccessTab, useOpenCheck } from './access-tab.tsx';

/** §2.8, Access tab: why the user may or may not enter a site. */
export function UserAccessTab() {
  const network = useAdminNetwork();
  const user = useOutletContext<User | undefined>();
  const { user_id, checked_id } = useParams();
  const userId = Number(user_id);
  const checked = checked_id === undefined ? undefined : { userId, siteId: Number(checked_id) };
  const check = useCheck(checked);
  const open = useOpenCheck();
  const name = user?.fullname || user?.email || 'this user';
  return (
    <AccessTab checked={checked} title={`Can ${name} enter a site?`} noun="site">
      <div className={classes.choice}>
        <RecordSelect
          label="Site"
          placeholder="Search by name or domain"
          query={(search) => siteChoiceQuery(network, search)}
          labelOf={(site) => siteLabel(site)}
          noun="sites"
          nothingFound="No results"
          chosen={check && { id: check.site.id, label: siteLabel(check.site) }}
          onChoose={(site) => open(toUserAccess(network.name, userId, site?.id))}
        />
        <Button
          component={Link}
          to={toDesktopOfUser(network.name, userId)}
          variant="default"
          leftSection={<IconEye size={17} stroke={1.8} />}
        >
          View desktop as {name}
        </Button>
      </div>
    </AccessTab>
  );
}
