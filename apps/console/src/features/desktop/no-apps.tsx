import { Button } from '@mantine/core';
import { IconApps, IconSearch } from '@tabler/icons-react';
import { Link } from 'react-router';
import { toConnect } from '../../api/links/panel-links.ts';
import { Notice } from '../../patterns/notice/notice.tsx';

type NoAppsProps = { network: string; administers: boolean; search: string; onClearSearch: () => void };

export function NoApps({ network, administers, search, onClearSearch }: NoAppsProps) {
  const title = 'Sorry! no apps found';
  if (search === '' && administers) {
    return (
      <Notice
        icon={<IconApps />}
        title={title}
        action={
          <Button component={Link} to={toConnect(network)}>
            Connect an application
          </Button>
        }
      >
        Connect an application, or choose on Desktop Config which sites are on the desktop.
      </Notice>
    );
  }
  if (search === '') {
    return (
      <Notice icon={<IconApps />} title={title}>
        Apps appear here once an administrator of {network} puts them on the desktop for you.
      </Notice>
    );
  }
  return (
    <Notice
      icon={<IconSearch />}
      title={title}
      action={
        <Button variant="default" onClick={onClearSearch}>
          Clear the search
        </Button>
      }
    >
      No app here has “{search}” in its name.
    </Notice>
  );
}
