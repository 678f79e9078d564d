import { createHmac } from 'node:crypto';

/** The persistent NameID of a user at a site. */
export type PersistentNames = (user: { uid: string }, site: { identity: string }) => string;

/**
 * Makes persistent NameIDs with a key of their own, which never changes: another key would make everybody a stranger at
 * every site.
 */
export const createPersistentNames =
  (key: Buffer): PersistentNames =>
  ({ uid }, { identity }) =>
    createHmac('sha256', key).update(`persistent-name\0${uid}\0${identity}`).digest('base64url');
