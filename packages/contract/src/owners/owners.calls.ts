import { z } from 'zod';
import { afterFreshSignIn, mainAdminInNetwork, networkAdmin } from '../access.ts';
import { call } from '../call.ts';
import { Done, Id, NamedNetwork } from '../fields.ts';
import { page } from '../paging.ts';
import { listPath, path } from '../paths.ts';
import { InvitationLink } from '../users/users.schemas.ts';
import { InvitedOwner, Owner, OwnerDraft } from './owners.schemas.ts';

export const listOwners = call({
  method: 'GET',
  path: listPath('/server/sso/owners/:serverName/:serverId', {}, '/:lastId', {
    serverName: NamedNetwork,
    serverId: Id,
  }),
  summary: 'The owners of a network, by address.',
  access: networkAdmin({ serverName: 'name', serverId: 'id' }),
  answer: page('owners', Owner, 'all_owners'),
});

export const createOwner = call({
  method: 'POST',
  path: path('/server/sso/owner/new/:serverName', { serverName: NamedNetwork }),
  summary:
    'Make an address an owner. An address without an account is invited and becomes an owner once the account is confirmed. Without a mail server, the answer contains the invitation as a link.',
  access: afterFreshSignIn(networkAdmin({ serverName: 'name' })),
  body: OwnerDraft,
  answer: z.object({ msg: z.string(), invitation: InvitationLink.optional() }),
});

export const listInvitedOwners = call({
  method: 'GET',
  path: path('/server/sso/invited_owners/:serverName/:serverId', { serverName: NamedNetwork, serverId: Id }),
  summary:
    'The owners of a network who have not accepted their invitation yet, at most 100, for owners of the main network.',
  access: mainAdminInNetwork({ serverName: 'name', serverId: 'id' }),
  answer: z.array(InvitedOwner),
});

export const inviteOwner = call({
  method: 'POST',
  path: path('/server/sso/owner/invite/:serverName', { serverName: NamedNetwork }),
  summary:
    'Invite an owner again who has not accepted yet; earlier links stop working. Without a mail server, the answer contains the invitation as a link, unless the address has an account.',
  access: afterFreshSignIn(mainAdminInNetwork({ serverName: 'name', owner_id: 'owner' })),
  body: z.strictObject({ owner_id: Id }),
  answer: z.object({ message: z.string(), invitation: InvitationLink.optional() }),
});

export const removeOwner = call({
  method: 'DELETE',
  path: path('/server/sso/owner/:serverName/:ownerId', { serverName: NamedNetwork, ownerId: Id }),
  summary: 'Remove an owner. The last effective owner cannot be removed.',
  access: afterFreshSignIn(networkAdmin({ serverName: 'name', ownerId: 'owner' })),
  answer: Done,
});
