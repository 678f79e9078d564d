import { ApiError, type ConfiguredApp, type DesktopGroups, type NetworkMode } from '@opensocial/contract';
import type { z } from 'zod';
import type { Config } from '../../config.ts';
import type { Database, Queryable } from '../../database/connect.ts';
import { actorOf, type Caller } from '../../http/actor.ts';
import { recordAudit } from '../audit/audit.service.ts';
import { imageUrl } from '../media/media.service.ts';
import { shownIn, startAddressOf } from '../sites/sites.service.ts';
import {
  findDesktopSites,
  findPositions,
  findTileConditions,
  lockDesktop,
  type TileRecord,
  updateDesktopVersion,
  updatePositions,
} from './desktop.queries.ts';

export const toApp =
  (config: Pick<Config, 'publicUrl'>, network: { name: string }) =>
  (site: TileRecord): ConfiguredApp => ({
    id: site.id,
    name: site.site_name,
    domain: site.domain,
    icon: site.icon ?? '',
    icon_bg: site.icon_bg ? imageUrl('icon', network.name, site.icon_bg) : '',
    icon_color: site.icon_color ?? '',
    icon_background: site.icon_background ?? '',
    text_color: site.text_color ?? '',
    text_background: site.text_background ?? '',
    icon_width: site.icon_width,
    login_url: site.login_url || startAddressOf(config, network, site),
    is_closed: site.site_mode === 'Closed',
    closes_at: site.closes_at?.toISOString() ?? null,
    opens_at: site.opens_at?.toISOString() ?? null,
    is_unreachable: site.shows_unreachable && site.unreachable_since !== null,
  });

/** A person whose desktop is shown. An owner of the network sees all its apps. */
export type Viewer = { id: number; isOwner: boolean };
export type DesktopNetwork = { id: number; mode: NetworkMode };

export const shownTo = ({ mode }: DesktopNetwork, { id, isOwner }: Viewer) => (isOwner ? undefined : shownIn(mode, id));

/** The sites of a network's desktop that are shown to a person. */
export const findDesktopOf = (db: Queryable, network: DesktopNetwork, viewer: Viewer) =>
  findDesktopSites(db, network.id, shownTo(network, viewer));

/** Each of the conditions under which a site is on the desktop of a person. */
export const findTileOf = (db: Queryable, network: DesktopNetwork, viewer: Viewer, siteId: number) =>
  findTileConditions(db, siteId, shownTo(network, viewer));

type Positions = ReadonlyMap<number, number | null>;

/** Saves the desktop and returns its version, which is unchanged if nothing was changed. */
export const saveDesktop = (db: Database, caller: Caller, groups: z.output<typeof DesktopGroups>): Promise<number> =>
  db.transaction(async (tx) => {
    const version = await lockDesktop(tx, caller.network.id);
    if (groups.version !== undefined && groups.version !== version) throw new ApiError('desktop_changed');
    const before = await findPositions(tx, caller.network.id);
    const changed = changesOf(before, groups);
    if (changed.length === 0) return version;
    await updatePositions(tx, changed);
    await updateDesktopVersion(tx, caller.network.id, version + 1);
    await recordAudit(tx, {
      ...actorOf(caller),
      action: 'update',
      object: 'desktop',
      subject: 'desktop',
      old_data: { desktop_apps: orderOf(before) },
      new_data: { desktop_apps: orderOf(new Map([...before, ...changed])) },
    });
    return version + 1;
  });

/** The ids of the apps on the desktop, in their order. */
export const readDesktop = async (db: Queryable, networkId: number): Promise<{ desktop_apps: number[] }> => ({
  desktop_apps: orderOf(await findPositions(db, networkId)),
});

/** Arranges the desktop as it was. Sites that were deleted since are left out. `assertCurrent` gets the current arrangement. */
export const restoreDesktop = async (
  db: Database,
  caller: Caller,
  former: readonly number[],
  assertCurrent: (desktop: { desktop_apps: number[] }) => void,
): Promise<number> => {
  const { version, positions } = await readPositions(db, caller.network.id);
  const current = orderOf(positions);
  assertCurrent({ desktop_apps: current });
  const desktop_apps = former.filter((id) => positions.has(id));
  const available_apps = current.filter((id) => !desktop_apps.includes(id));
  return saveDesktop(db, caller, { desktop_apps, available_apps, version });
};

/** Both of one moment, so that the version protects the save. */
const readPositions = (db: Database, networkId: number) =>
  db.transaction(async (tx) => ({
    version: await lockDesktop(tx, networkId),
    positions: await findPositions(tx, networkId),
  }));

/** The apps whose position changes. A foreign app is answered as if it did not exist. */
const changesOf = (
  before: Positions,
  { available_apps, desktop_apps }: z.output<typeof DesktopGroups>,
): [id: number, position: number | null][] => {
  const wanted: [number, number | null][] = [
    ...available_apps.map((id): [number, null] => [id, null]),
    ...desktop_apps.map((id, index): [number, number] => [id, index + 1]),
  ];
  if (wanted.some(([id]) => !before.has(id))) throw new ApiError('not_found');
  return wanted.filter(([id, position]) => before.get(id) !== position);
};

const orderOf = (positions: Positions): number[] =>
  [...positions]
    .flatMap(([id, position]) => (position === null ? [] : [{ id, position }]))
    .toSorted((one, other) => one.position - other.position || one.id - other.id)
    .map(({ id }) => id);
