import { listUsers, personLabel, type UserRow } from '@opensocial/contract';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { call } from '../../api/transport/caller.ts';
import type { NetworkRef } from '../../api/transport/network-ref.ts';
import { pagedQuery } from '../../api/transport/paged-query.ts';
import { usersKey } from '../../api/transport/query-keys.ts';
import { RecordSelect } from '../record-select/record-select.tsx';

const membersQuery = (network: NetworkRef, keyword: string) =>
  pagedQuery<UserRow>({
    queryKey: [...usersKey, 'choice', network.id, keyword],
    page: async (lastId, signal, count) => {
      const params = { serverId: network.id, serverName: network.name, lastId, keyword: keyword || undefined };
      const { users, all_users, total_is_minimum } = await call(listUsers, { params, query: { count } }, signal);
      return { rows: users, total: all_users, isMinimum: total_is_minimum === true };
    },
  });

type Person = Pick<UserRow, 'id' | 'fullname' | 'email'>;

type PersonSelectProps = {
  chosen: Person | undefined;
  onChoose: (person: UserRow | undefined) => void;
  autoFocus?: boolean;
};

/** The choice of a member of the network. */
export function PersonSelect({ chosen, onChoose, autoFocus = false }: PersonSelectProps) {
  const network = useAdminNetwork();
  return (
    <RecordSelect
      label="Person"
      placeholder="Search by name or email"
      query={(search) => membersQuery(network, search)}
      labelOf={personLabel}
      noun="people"
      nothingFound="Nobody in this network matches."
      chosen={chosen && { id: chosen.id, label: personLabel(chosen) }}
      onChoose={onChoose}
      autoFocus={autoFocus}
    />
  );
}
