import { listActivity } from '@opensocial/contract';
import type { Bind } from '../../http/bind.ts';
import type { Parts } from '../../parts.ts';
import { presentLines, readLines } from './activity.queries.ts';

export const activityRoutes = (bind: Bind, { db, config }: Parts): void => {
  bind(listActivity, async ({ network, user, params }) => {
    const lines = await readLines(db, {
      networkId: network.id,
      userId: network.role === 'admin' ? undefined : user.id,
      status: params.filter,
      site: params.site,
      range: params.time,
      keyword: params.keyword,
      lastId: params.lastid,
      size: config.pageSize,
    });
    return presentLines(lines);
  });
};
