import { Button } from '@mantine/core';
import { exportActivity } from '@opensocial/contract';
import { IconDownload } from '@tabler/icons-react';
import { useSelectedNetwork } from '../../api/session.ts';
import { useListView } from '../../patterns/record-list/use-list-view.ts';
import { linesAsked } from './activity.api.ts';
import { activityFilters } from './line-columns.tsx';

/** The log as it stands, search and filters included, as a file. */
export function ActivityTools() {
  const { name } = useSelectedNetwork();
  const { view } = useListView(activityFilters);
  return (
    <Button
      component="a"
      href={exportActivity.path.build({ server: name, ...linesAsked(view) })}
      download
      variant="default"
      leftSection={<IconDownload size={17} stroke={1.8} />}
    >
      Export CSV
    </Button>
  );
}
