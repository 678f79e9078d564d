import { getOverview, getSignInStatistics } from '@opensocial/contract';
import type { Bind } from '../../http/bind.ts';
import type { Parts } from '../../parts.ts';
import { readOverview, readSignIns } from './overview.service.ts';

/** The overview of a network for its owners. */
export const overviewRoutes = (bind: Bind, parts: Parts): void => {
  bind(getOverview, ({ network }) => readOverview(parts, network.id));

  bind(getSignInStatistics, ({ params: { period }, query: { zone = 'UTC' }, network }) =>
    readSignIns(parts.db, network.id, { period, zone }),
  );
};
