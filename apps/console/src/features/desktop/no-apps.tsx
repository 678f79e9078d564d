import { Button } from '@mantine/core';
import { IconApps, IconSearch } from '@tabler/icons-react';
import { Notice } from '../../patterns/notice/notice.tsx';

type NoAppsProps = { network: string; search: string; onClearSearch: () => void };

export function NoApps({ network, search, onClearSearch }: NoAppsProps) {
  const title = 'Sorry! no apps found';
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
