import { ApiError, listUserLog } from '@opensocial/contract';
import type { Bind } from '../../http/bind.ts';
import type { Parts } from '../../parts.ts';
import { findNetworkOf } from '../networks/networks.service.ts';
import { findMemberByEmail } from '../users/users.service.ts';
import { matchOf } from './activity.filters.ts';
import { presentLines, readLines } from './activity.queries.ts';

/** The login log of the caller, or, for an owner, of a user of the given network. */
export const userActivityRoutes = (bind: Bind, { db, config }: Parts): void => {
  bind(listUserLog, async ({ user, params, query }) => {
    const isSelf = params.email.toLowerCase() === user.email;
    const network = params.server === undefined ? undefined : await findNetworkOf(db, user.id, { name: params.server });
    if (params.server !== undefined && !network) throw new ApiError('not_found');
    if (!isSelf && !network?.isOwner) throw new ApiError('forbidden');
    const owner = isSelf ? user : network && (await findMemberByEmail(db, network.id, params.email));
    if (!owner) throw new ApiError('not_found');
    return presentLines(
      await readLines(db, {
        networkId: network?.id,
        userId: owner.id,
        ...matchOf(params, query),
        lastId: params.lastid,
        size: config.pageSize,
        counting: query.count,
      }),
    );
  });
};
