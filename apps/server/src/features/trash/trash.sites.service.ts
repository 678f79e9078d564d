import type { Transaction } from '../../database/connect.ts';
import { groups, images, signingKeys, sites } from '../../database/schema.ts';
import { findRootRow, isTargetPresent } from './trash.copies.queries.ts';
import type { Adjustment } from './trash.parts.ts';
import type { TrashRecord } from './trash.queries.ts';

/** The columns of a site that refer to something that may be deleted meanwhile. */
const references = [
  {
    column: 'signing_key_id',
    table: signingKeys,
    key: 'id',
    note: 'Its signing key no longer exists, so it uses the current key of the network.',
  },
  {
    column: 'testers_group_id',
    table: groups,
    key: 'id',
    note: 'The group of testers no longer exists, so it was left out.',
  },
  { column: 'logo', table: images, key: 'name', note: 'The site logo no longer exists, so it was left out.' },
  {
    column: 'background',
    table: images,
    key: 'name',
    note: 'The site background no longer exists, so it was left out.',
  },
  { column: 'icon_bg', table: images, key: 'name', note: 'The icon picture no longer exists, so it was left out.' },
] as const;

const closedNote =
  'None of its groups exists any more. The site was restored as closed, because it would be open to the whole network without a group.';

/**
 * What has to be different in a restored site: references that are gone, and the version, because caches of the servers may contain the
 * deleted row. A site that has lost all its groups is closed.
 */
export const adjustSite = async (
  tx: Transaction,
  { id, network_id }: Pick<TrashRecord, 'id' | 'network_id'>,
  hasLostGroups: boolean,
): Promise<Adjustment> => {
  const row = (await findRootRow(tx, id, sites)) ?? {};
  const overrides: Record<string, unknown> = { version: Number(row['version']) + 1 };
  const notes: string[] = [];
  for (const { column, table, key, note } of references) {
    const value = row[column];
    if (value == null || (await isTargetPresent(tx, network_id, { table, key, value }))) continue;
    overrides[column] = null;
    notes.push(note);
  }
  if (!hasLostGroups) return { overrides, notes };
  return {
    overrides: { ...overrides, site_mode: 'Closed', closes_at: null, opens_at: null },
    notes: [...notes, closedNote],
  };
};
