import type { AuditObject, AuditRecord } from '@opensocial/contract';

const deeds: Readonly<Record<string, string>> = { create: 'Added', update: 'Changed', delete: 'Removed' };

export const objectNames: Readonly<Record<AuditObject, string>> = {
  site: 'Sites',
  user: 'Users',
  group: 'Groups',
  owner: 'Server admins',
  settings: 'Server settings',
  network: 'The network',
  desktop: 'Desktop',
  template: 'Email templates',
  image: 'Images',
  profile: "People's own accounts",
  claim: 'Claims of the console',
  other: 'Other',
};

/** Describes a change in words, for example 'update site reports.org'. A claim is quoted as it was sent. */
export const changeText = ({ object, action, description }: AuditRecord): string => {
  const deed = deeds[action];
  if (object === 'claim' || deed === undefined) return description;
  return `${deed} ${description.slice(action.length).trim()}`;
};
