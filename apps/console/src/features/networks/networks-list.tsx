import type { Network } from '@opensocial/contract';
import { IconLock, IconLockOpen } from '@tabler/icons-react';
import { lazy, Suspense, useMemo, useState } from 'react';
import { Outlet, useParams } from 'react-router';
import { useSessionUser } from '../../api/session/session.ts';
import type { NetworkRef } from '../../api/transport/network-ref.ts';
import { ListPage } from '../../patterns/record-list/list-page.tsx';
import { sortText } from '../../patterns/record-list/model/list-description.ts';
import { RecordList } from '../../patterns/record-list/record-list.tsx';
import { networkColumns } from './network-columns.tsx';
import { networksQuery } from './networks.api.ts';
import { toNetworkDetails } from './networks.links.ts';
import { NetworksTools } from './networks-tools.tsx';

const DefaultNetworkDialog = lazy(async () => ({
  default: (await import('./default-network-dialog.tsx')).DefaultNetworkDialog,
}));

/** §2.4. */
export function NetworksList() {
  const user = useSessionUser();
  const { id: current } = useParams();
  const [asked, setAsked] = useState<NetworkRef>();
  const columns = useMemo(() => networkColumns(user.server_id), [user.server_id]);
  const isDefault = ({ id }: Network) => id === user.server_id;
  return (
    <ListPage title="Networks" tools={<NetworksTools />}>
      <RecordList
        label="Networks"
        query={({ search, sort }) => networksQuery(user, search, sortText(sort, 'name'))}
        columns={columns}
        nameOf={({ url }) => url}
        count={(loaded, total) => `${loaded} of ${total} servers`}
        emptyHint="You do not belong to a network yet. An owner of a network can invite you by email."
        actions={[
          {
            id: 'default',
            icon: (row) => (isDefault(row) ? IconLock : IconLockOpen),
            label: (row) => (isDefault(row) ? `${row.url} is your default server` : `Set ${row.url} as default`),
            isDisabled: isDefault,
            onAct: ({ id, url }) => setAsked({ id, name: url }),
          },
        ]}
        open={toNetworkDetails}
        current={current === undefined ? undefined : Number(current)}
      />
      <Suspense>{asked && <DefaultNetworkDialog network={asked} onClose={() => setAsked(undefined)} />}</Suspense>
      <Outlet />
    </ListPage>
  );
}
