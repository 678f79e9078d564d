import {
  createOwner,
  getAddress,
  getSsoId,
  listOwners,
  type Owner,
  recordAuditClaim,
  removeOwner,
  type SessionUser,
} from '@opensocial/contract';
import { mutationOptions } from '@tanstack/react-query';
import { call } from '../../api/transport/caller.ts';
import type { NetworkRef } from '../../api/transport/network-ref.ts';
import { pagedQuery, withoutRows } from '../../api/transport/paged-query.ts';
import { queryClient } from '../../api/transport/query-client.ts';
import { networksKey, usersKey } from '../../api/transport/query-keys.ts';

const listKey = (network: NetworkRef) => ['owners', 'list', network.id] as const;

export const ownersQuery = (network: NetworkRef, search: string) =>
  pagedQuery<Owner>({
    queryKey: [...listKey(network), search],
    page: async (lastId, signal) => {
      const params = { serverName: network.name, serverId: network.id, lastId, keyword: search || undefined };
      const { owners, all_owners, total_is_minimum } = await call(listOwners, { params }, signal);
      return { rows: owners, total: all_owners, isMinimum: total_is_minimum === true };
    },
  });

export const reloadOwners = (network: NetworkRef): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: listKey(network) });

export const addOwner = (network: NetworkRef) =>
  mutationOptions({
    mutationKey: ['owners', 'create', network.id],
    mutationFn: async (owner: string) => {
      const { sso_id } = await call(getSsoId, { params: { server: network.name } });
      return call(createOwner, {
        params: { serverName: network.name },
        body: { sso_server: network.name, sso_id, owner },
      });
    },
    onSuccess: () => Promise.all([reloadOwners(network), reloadRoles()]),
  });

/**
 * Networks are shown with the role of the signed-in user, which this user may have changed, and with the number of owners. A new
 * owner may be a new user of the network.
 */
const reloadRoles = async (): Promise<void> => {
  await queryClient.invalidateQueries({ queryKey: networksKey });
  await queryClient.invalidateQueries({ queryKey: usersKey });
};

/** §7.6: removes the owner and sends the console's audit claim. The server writes its own audit record in any case. */
export const deleteOwner = async (network: NetworkRef, user: SessionUser, { id, owner }: Owner): Promise<void> => {
  await call(removeOwner, { params: { serverName: network.name, ownerId: id } });
  queryClient.setQueriesData({ queryKey: listKey(network) }, withoutRows(new Set([id])));
  void reloadRoles();
  await auditDeletion(network, user, owner).catch(() => undefined);
};

const auditDeletion = async (network: NetworkRef, user: SessionUser, owner: string): Promise<void> => {
  const { ip } = await call(getAddress, {});
  await call(recordAuditClaim, {
    body: {
      audit_type: 'OpenSocial',
      action: 'delete',
      description: `Owner ${owner} of ${network.name} deleted`,
      user: user.username,
      source: ip,
      old_data: { owner },
      new_data: null,
    },
  });
};
