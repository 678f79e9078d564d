import type { Attribute, AttributeField } from '@opensocial/contract';
import type { Parts } from '../../../parts.ts';
import type { Destination } from '../destination/destinations.queries.ts';
import type { SiteAccount } from './site-accounts.queries.ts';

/** The values of an attribute or a claim of a person at a site. Every protocol releases the same. */
export const valuesOfAttribute = (
  { persistentNames }: Pick<Parts, 'persistentNames'>,
  { site, network }: Destination,
  user: SiteAccount,
  attribute: Attribute,
): readonly string[] => {
  const fieldOf = (field: AttributeField): string => {
    if (field === 'network') return network.name;
    return field === 'persistent_id' ? persistentNames(user, site) : user[field];
  };
  if (attribute.source === 'constant') return attribute.values;
  if (attribute.source !== 'groups') return [fieldOf(attribute.source)];
  const { prefix, separator } = attribute;
  const named = user.groups.filter((group) => group.startsWith(prefix));
  return separator === '' || named.length === 0 ? named : [named.join(separator)];
};
