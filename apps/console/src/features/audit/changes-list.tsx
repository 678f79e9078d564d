import { useQuery } from '@tanstack/react-query';
import { Outlet, useParams } from 'react-router';
import { isAdmin, roleQuery } from '../../api/session/role.ts';
import { useSelectedNetwork } from '../../api/session/session.ts';
import { ExportLink } from '../../patterns/export-link/export-link.tsx';
import { PermissionNotice } from '../../patterns/permission-denied/permission-denied.tsx';
import { useListView } from '../../patterns/record-list/model/use-list-view.ts';
import { RecordList } from '../../patterns/record-list/record-list.tsx';
import { changesFile, changesQuery } from './audit.api.ts';
import { toChange } from './audit.links.ts';
import { changeColumns, changeFilters } from './change-columns.tsx';

/** The audit log of the network. Users who are not owners get no data (§6). */
export function ChangesList() {
  const network = useSelectedNetwork();
  const role = useQuery(roleQuery(network.name));
  const { record_id } = useParams();
  const { view } = useListView(changeFilters);
  if (role.isPending) return null;
  if (!isAdmin(role.data)) return <PermissionNotice />;
  return (
    <>
      <RecordList
        label="Changes"
        query={(shown) => changesQuery(network, shown)}
        columns={changeColumns}
        nameOf={({ title }) => title}
        count={(loaded, total) => `${loaded} of ${total} changes`}
        emptyHint="Every change in the network is recorded here."
        filters={changeFilters}
        tools={<ExportLink href={changesFile(network, view)} />}
        open={({ id }) => toChange(id)}
        current={record_id === undefined ? undefined : Number(record_id)}
      />
      <Outlet />
    </>
  );
}
