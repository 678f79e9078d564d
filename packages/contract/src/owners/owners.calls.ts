import { z } from 'zod';
import { afterFreshSignIn, networkAdmin } from '../access.ts';
import { call } from '../call.ts';
import { Done, Id, NamedNetwork } from '../fields.ts';
import { page } from '../paging.ts';
import { listPath, path } from '../paths.ts';
import { InvitationLink } from '../users/users.schemas.ts';
import { Owner, OwnerDraft } from './owners.schemas.ts';

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

export const removeOwner = call({
  method: 'DELETE',
  path: path('/server/sso/owner/:serverName/:ownerId', { serverName: NamedNetwork, ownerId: Id }),
  summary: 'Remove an owner. The last effective owner cannot be removed.',
  access: afterFreshSignIn(networkAdmin({ serverName: 'name', ownerId: 'owner' })),
  answer: Done,
});
