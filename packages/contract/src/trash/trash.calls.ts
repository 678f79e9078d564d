import { z } from 'zod';
import { afterFreshSignIn, networkAdmin } from '../access.ts';
import { call } from '../call.ts';
import { Done, Id, NamedNetwork } from '../fields.ts';
import { listPath, path } from '../paths.ts';
import { Restored, TrashKind, TrashPage } from './trash.schemas.ts';

export const listTrash = call({
  method: 'GET',
  path: listPath('/server/sso/trash/:server', { kind: TrashKind }, '/:lastid', { server: NamedNetwork }),
  summary:
    'The deleted sites, users, groups and images of a network that can be restored, the latest first. A keyword is searched in their names.',
  access: networkAdmin({ server: 'name' }),
  answer: TrashPage,
});

export const getTrashRetention = call({
  method: 'GET',
  path: path('/server/sso/trash_retention/:server', { server: NamedNetwork }),
  summary: 'For how many days deleted objects can be restored; 0 if they are not kept.',
  access: networkAdmin({ server: 'name' }),
  answer: z.object({ days: z.int().min(0) }),
});

const entryPath = { server: NamedNetwork, id: Id };
const entryAccess = networkAdmin({ server: 'name', id: 'trashEntry' });

export const restoreFromTrash = call({
  method: 'POST',
  path: path('/server/sso/trash_entry/:server/:id/restore', entryPath),
  summary:
    'Restore a deleted object with everything that belonged to it. Sites, and users who were owners, need a fresh sign-in.',
  access: entryAccess,
  answer: Restored,
});

export const removeFromTrash = call({
  method: 'DELETE',
  path: path('/server/sso/trash_entry/:server/:id', entryPath),
  summary: 'Delete an object in the trash permanently.',
  access: afterFreshSignIn(entryAccess),
  answer: Done,
});

export const emptyTrash = call({
  method: 'DELETE',
  path: path('/server/sso/trash_entries/:server', { server: NamedNetwork }),
  summary: 'Delete everything in the trash permanently.',
  access: afterFreshSignIn(networkAdmin({ server: 'name' })),
  answer: Done,
});
