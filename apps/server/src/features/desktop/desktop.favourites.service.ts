import { ApiError, maximumRecentApps } from '@opensocial/contract';
import type { Database, Queryable } from '../../database/connect.ts';
import { deleteFavourite, findFavourites, findRecent, insertFavourite } from './desktop.favourites.queries.ts';
import { isOnDesktop, lockSitesIf } from './desktop.queries.ts';
import { type DesktopNetwork, shownTo, type Viewer } from './desktop.service.ts';

const idsOf = (rows: readonly { id: number }[]): number[] => rows.map(({ id }) => id);

/** The favourites and the recently used sites of a person. Both contain only sites that are on the person's desktop. */
export const readMarkedApps = async (db: Queryable, network: DesktopNetwork, viewer: Viewer) => {
  const isListed = isOnDesktop(network.id, shownTo(network, viewer));
  return {
    favourites: idsOf(await findFavourites(db, viewer.id, isListed)),
    recent: idsOf(await findRecent(db, viewer.id, isListed, maximumRecentApps)),
  };
};

type Choice = { siteId: number; isFavourite: boolean };

/** A site that is not on the person's desktop is answered as if it did not exist. */
export const setFavourite = (
  db: Database,
  network: DesktopNetwork,
  viewer: Viewer,
  { siteId, isFavourite }: Choice,
): Promise<void> =>
  db.transaction(async (tx) => {
    const isListed = isOnDesktop(network.id, shownTo(network, viewer));
    if ((await lockSitesIf(tx, [siteId], isListed)).length === 0) throw new ApiError('not_found');
    await (isFavourite ? insertFavourite : deleteFavourite)(tx, viewer.id, siteId);
  });
