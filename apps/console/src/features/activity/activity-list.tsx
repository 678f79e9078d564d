import { useQuery } from '@tanstack/react-query';
import { Outlet, useParams, useSearchParams } from 'react-router';
import { isAdmin, roleQuery } from '../../api/session/role.ts';
import { useSelectedNetwork } from '../../api/session/session.ts';
import { readReference } from '../../api/sign-in/error-reference.ts';
import { RecordList } from '../../patterns/record-list/record-list.tsx';
import { activityQuery } from './activity.api.ts';
import { toLine } from './activity.links.ts';
import { ActivityTools } from './activity-tools.tsx';
import { activityColumns, activityFilters } from './line-columns.tsx';
import { ReferenceResult } from './reference-result.tsx';
import { RefusedRequestsNote } from './refused-requests-note.tsx';
import { RetentionNote } from './retention-note.tsx';

/** §2.13. */
export function ActivityList() {
  const network = useSelectedNetwork();
  const { line_id } = useParams();
  const [params] = useSearchParams();
  const reference = readReference(params.get('search') ?? '');
  const administers = isAdmin(useQuery(roleQuery(network.name)).data);
  return (
    <>
      {administers && (
        <RefusedRequestsNote network={network.name}>
          in the panel of each site, under Single sign-on, Diagnosis
        </RefusedRequestsNote>
      )}
      {administers && reference !== undefined && <ReferenceResult network={network} reference={reference} />}
      <RecordList
        label="Activity"
        query={(view) => activityQuery(network, view)}
        columns={activityColumns}
        columnsStoredAs="activity"
        nameOf={({ email, site }) => `${email || 'somebody'} at ${site}`}
        count={(loaded, total) => `${loaded} of ${total} logs`}
        emptyText="There is no item in database"
        emptyHint="Every attempt to sign in to a site of the network is recorded here."
        filters={activityFilters}
        tools={<ActivityTools />}
        open={({ id }) => toLine(id)}
        current={line_id === undefined ? undefined : Number(line_id)}
      />
      <RetentionNote />
      <Outlet />
    </>
  );
}
