import {
  createNetwork as createNetworkCall,
  getNetworkDetails,
  getNetworkName,
  getRole,
  getSsoId,
  listNetworks,
  listNetworksBySites,
  type Network,
  searchNetworks,
  setNetworkMode,
} from '@opensocial/contract';
import { addressOf } from '../../http/address.ts';
import type { Bind } from '../../http/bind.ts';
import type { Parts } from '../../parts.ts';
import { toPem } from '../../secrets/signing-keys.ts';
import { idpAddresses } from '../sign-in/sign-in.service.ts';
import { joinNetwork } from '../users/users.service.ts';
import { changeNetworkMode } from './networks.changes.service.ts';
import {
  countInNetwork,
  findCertificates,
  findNetworkOf,
  findNetworksWithSiteCounts,
  readNetworksOf,
} from './networks.queries.ts';
import { addOwner, createNetwork } from './networks.service.ts';

const toNetwork = (row: { id: number; sso_id: string; name: string; isOwner: boolean }): Network => ({
  id: row.id,
  sso_id: row.sso_id,
  url: row.name,
  role: row.isOwner ? 'admin' : 'user',
});

export const networkRoutes = (bind: Bind, parts: Parts): void => {
  const { db, config } = parts;

  const pageOf = async (
    userId: number,
    { lastid, keyword }: { lastid: number; keyword?: string },
    { sort }: { sort?: 'name' | '-name' | undefined },
  ) => {
    const query = { keyword, descending: sort === '-name', lastId: lastid, size: config.pageSize };
    const { rows, total, total_is_minimum } = await readNetworksOf(db, userId, query);
    return { data: rows.map(toNetwork), all_servers: total, total_is_minimum };
  };

  bind(listNetworks, ({ user, params, query }) => pageOf(user.id, params, query));
  bind(searchNetworks, ({ user, params, query }) => pageOf(user.id, params, query));

  bind(listNetworksBySites, async ({ user }) => {
    const rows = await findNetworksWithSiteCounts(db, user.id);
    return rows.map((row) => ({ ...toNetwork(row), sites: row.sites }));
  });

  bind(getRole, async ({ user, params }) => {
    const network = await findNetworkOf(db, user.id, { name: params.server });
    return network?.isOwner ? 'admin' : 'user';
  });

  bind(getSsoId, async ({ network }) => ({ sso_id: network.sso_id }));
  bind(getNetworkName, async ({ network }) => ({ name: network.name }));

  bind(getNetworkDetails, async ({ network }) => {
    const { entityId, ssoUrl, sloUrl } = idpAddresses(config, network.name);
    const [certificate = ''] = await findCertificates(db, network.id);
    return {
      ...toNetwork({ ...network, isOwner: network.role === 'admin' }),
      mode: network.mode,
      ...(await countInNetwork(db, network.id)),
      entity_id: entityId,
      sso_url: ssoUrl,
      slo_url: sloUrl,
      certificate: toPem(certificate),
    };
  });

  bind(createNetworkCall, async ({ actor, user, body, request }) => {
    const changedBy = { actor, address: addressOf(request) };
    return db.transaction(async (tx) => {
      const network = await createNetwork(tx, parts, body.name, changedBy);
      const { invitation } = await addOwner(tx, parts, network, body.owner, { withMail: true, changedBy });
      await joinNetwork(tx, network.id, user.id);
      return { ...toNetwork({ ...network, isOwner: body.owner === user.email }), invitation };
    });
  });

  bind(setNetworkMode, async ({ body: { mode, based_on }, ...caller }) => ({
    message: 'Network mode updated successfully',
    version: await changeNetworkMode(db, caller, () => mode, based_on),
  }));
};
