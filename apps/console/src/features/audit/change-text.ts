import type { AuditObject } from '@opensocial/contract';

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
