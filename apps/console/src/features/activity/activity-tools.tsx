import { Button } from '@mantine/core';
import { exportActivity } from '@opensocial/contract';
import { IconDownload } from '@tabler/icons-react';
import { useSelectedNetwork } from '../../api/session/session.ts';
import { inZone } from '../../patterns/date-range/days.ts';
import { useListView } from '../../patterns/record-list/model/use-list-view.ts';
import { lineFilters } from './activity.api.ts';
import { FollowControl } from './follow-control.tsx';
import { activityFilters } from './line-columns.tsx';

/** The tools of the log: live updates, and the export of the list with its search and filters. */
export function ActivityTools() {
  const network = useSelectedNetwork();
  const { view } = useListView(activityFilters);
  const { asked, zone } = lineFilters(view);
  return (
    <>
      <FollowControl network={network} view={view} />
      <Button
        component="a"
        href={inZone(exportActivity.path.build({ server: network.name, ...asked }), zone)}
        download
        variant="default"
        leftSection={<IconDownload size={17} stroke={1.8} />}
      >
        Export CSV
      </Button>
    </>
  );
}
