import { exportActivity } from '@opensocial/contract';
import { useSelectedNetwork } from '../../api/session/session.ts';
import { withQuery } from '../../patterns/date-range/days.ts';
import { ExportLink } from '../../patterns/export-link/export-link.tsx';
import { useListView } from '../../patterns/record-list/model/use-list-view.ts';
import { lineFilters } from './activity.api.ts';
import { FollowControl } from './follow-control.tsx';
import { activityFilters } from './line-columns.tsx';

/** The tools of the log: live updates, and the export of the list with its search and filters. */
export function ActivityTools() {
  const network = useSelectedNetwork();
  const { view } = useListView(activityFilters);
  const { asked, inQuery } = lineFilters(view);
  return (
    <>
      <FollowControl network={network} view={view} />
      <ExportLink href={withQuery(exportActivity.path.build({ server: network.name, ...asked }), inQuery)} />
    </>
  );
}
