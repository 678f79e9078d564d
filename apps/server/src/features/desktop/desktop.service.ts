import { ApiError, type DesktopGroups } from '@opensocial/contract';
import type { z } from 'zod';
import type { Database } from '../../database/connect.ts';
import { actorOf, type Caller } from '../../http/actor.ts';
import { recordAudit } from '../audit/audit.service.ts';
import { findPositions, lockDesktop, updateDesktopVersion, updatePositions } from './desktop.queries.ts';

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
      subject: 'desktop',
      old_data: { desktop_apps: orderOf(before) },
      new_data: { desktop_apps: orderOf(new Map([...before, ...changed])) },
    });
    return version + 1;
  });

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
