import { getTableName } from 'drizzle-orm';
import type { Transaction } from '../../database/connect.ts';
import { findGone } from './trash.copies.queries.ts';
import type { Noun, TrashPart } from './trash.parts.ts';
import type { TrashRecord } from './trash.queries.ts';

/**
 * Finds the copied rows whose target no longer exists, and describes them. `hasLostGroups`: the object had groups, and none of them is
 * left.
 */
export const findGoneTargets = async (
  tx: Transaction,
  { id, network_id }: Pick<TrashRecord, 'id' | 'network_id'>,
  parts: readonly TrashPart[],
): Promise<{ notes: string[]; hasLostGroups: boolean }> => {
  const notes: string[] = [];
  let hasLostGroups = false;
  for (const { table, target } of parts) {
    if (!target?.noun) continue;
    const { total, gone, names } = await findGone(tx, id, network_id, getTableName(table), target);
    if (gone > 0) notes.push(describeGone(target.noun, gone, names));
    hasLostGroups ||= target.noun === 'group' && total > 0 && gone === total;
  }
  return { notes, hasLostGroups };
};

const words: Record<Noun, { one: string; several: string; gone: [one: string, several: string] }> = {
  group: { one: 'The group', several: 'The groups', gone: ['no longer exists', 'no longer exist'] },
  site: { one: 'The site', several: 'The sites', gone: ['no longer exists', 'no longer exist'] },
  person: { one: '', several: '', gone: ['is no longer in the network', 'are no longer in the network'] },
};

/** For example 'The group Chemists no longer exists, so it was left out.' */
const describeGone = (noun: Noun, count: number, names: readonly string[]): string => {
  const more = count - names.length;
  const listed = new Intl.ListFormat('en').format([
    ...names,
    ...(more > 0 ? [`${more.toLocaleString('en')} more`] : []),
  ]);
  const { one, several, gone } = words[noun];
  const it = noun === 'person' ? 'they' : 'it';
  return count === 1
    ? `${one} ${listed} ${gone[0]}, so ${it} ${it === 'it' ? 'was' : 'were'} left out.`.trim()
    : `${several} ${listed} ${gone[1]}, so they were left out.`.trim();
};
