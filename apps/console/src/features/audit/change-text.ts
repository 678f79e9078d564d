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

/** 'update site reports.org' as a person says it. A claim is quoted as it came. */
export const changeText = ({ object, action, description }: AuditRecord): string => {
  const deed = deeds[action];
  if (object === 'claim' || deed === undefined) return description;
  return `${deed} ${description.slice(action.length).trim()}`;
};
