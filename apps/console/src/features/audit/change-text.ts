import type { AuditObject, AuditRecord } from '@opensocial/contract';

const verbs: Readonly<Record<string, string>> = {
  create: 'Added',
  update: 'Changed',
  delete: 'Removed',
  restore: 'Restored',
  view: 'Viewed',
};

export const objectNames: Readonly<Record<AuditObject, string>> = {
  site: 'Sites',
  user: 'Users',
  group: 'Groups',
  owner: 'Owners',
  settings: 'Server settings',
  network: 'Network',
  desktop: 'Desktop',
  template: 'Email templates',
  image: 'Images',
  profile: 'Personal accounts',
  claim: 'Console claims',
  other: 'Other',
};

/** Describes a change in words, for example 'update site reports.org'. A claim is quoted as it was sent. */
export const changeText = ({ object, action, description }: AuditRecord): string => {
  const verb = verbs[action];
  if (object === 'claim' || verb === undefined) return description;
  return `${verb} ${description.slice(action.length).trim()}`;
};
