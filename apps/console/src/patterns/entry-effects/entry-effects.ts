import { describeEntryChange, type EntryChange, type EntryChangeDraft } from '@opensocial/contract';
import { call } from '../../api/transport/caller.ts';
import type { NetworkRef } from '../../api/transport/network-ref.ts';
import { countOf } from '../format/format.ts';

const textOf = ({ site_name, domain, effect, people }: EntryChange['sites'][number]): string => {
  const site = site_name === domain ? domain : `${site_name} (${domain})`;
  if (effect === 'opened')
    return `${site} is left without a group, so everybody in the network may enter it. ${countOf(people, 'person gains', 'people gain')} access.`;
  return `${site} gets its first group, so only members of its groups may enter it. ${countOf(people, 'person loses', 'people lose')} access.`;
};

/** The maximum number of objects in one question. */
const maximum = 1_000;

const uncounted = 'How many people gain or lose access could not be counted.';

/**
 * Sentences about the sites that get their first group or lose their last one, and about the people who lose or gain access. Without any,
 * the change affects nobody. A failure is a sentence too, because the change itself can still be made.
 */
export const describeEntryEffects = async ({ id }: NetworkRef, change: EntryChangeDraft): Promise<string[]> => {
  const named = Object.values(change).reduce((sum, objects) => sum + (objects?.length ?? 0), 0);
  if (named > maximum) return [uncounted];
  try {
    const { total, sites } = await call(describeEntryChange, { params: { server_id: id }, body: change });
    const further = total - sites.length;
    return [
      ...sites.map(textOf),
      ...(further > 0 ? [`The same applies to ${countOf(further, 'more site', 'more sites')}.`] : []),
    ];
  } catch {
    return [uncounted];
  }
};
