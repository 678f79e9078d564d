import { z } from 'zod';
import { afterFreshSignIn, mainAdmin, networkAdmin, networkMember, self, signedIn } from '../access.ts';
import { call } from '../call.ts';
import { Id, NamedNetwork, NamedUser } from '../fields.ts';
import { Cursor, Keyword, page, sortedBy } from '../paging.ts';
import { path } from '../paths.ts';
import { basedOn, versioned } from '../versions.ts';
import { CreatedNetwork, Network, NetworkDetails, NetworkDraft, NetworkMode, Role } from './networks.schemas.ts';

const NetworkPage = page('data', Network, 'all_servers');

export const listNetworks = call({
  method: 'GET',
  path: path('/server/sso/servers/:username/:lastid', { username: NamedUser, lastid: Cursor }),
  summary: 'The networks that the signed-in user belongs to, by name.',
  access: self({ username: 'email' }),
  query: sortedBy('name'),
  answer: NetworkPage,
});

export const searchNetworks = call({
  method: 'GET',
  path: path('/server/sso/servers/search/:username/:keyword/:lastid', {
    username: NamedUser,
    keyword: Keyword,
    lastid: Cursor,
  }),
  summary: 'The same networks, filtered by a keyword in the name.',
  access: self({ username: 'email' }),
  query: sortedBy('name'),
  answer: NetworkPage,
});

export const getRole = call({
  method: 'GET',
  path: path('/server/sso/owner/:server', { server: NamedNetwork }),
  summary:
    'The role of the signed-in user in a network. The answer for an unknown network is the same as for a foreign one: user.',
  access: signedIn,
  answer: Role,
});

export const getSsoId = call({
  method: 'GET',
  path: path('/server/sso/getsso_id/:server', { server: NamedNetwork }),
  summary: "A network's sso_id.",
  access: networkMember({ server: 'name' }),
  answer: z.object({ sso_id: z.string() }),
});

export const getNetworkName = call({
  method: 'GET',
  path: path('/server/get_name/:id', { id: Id }),
  summary: "A network's name.",
  access: networkMember({ id: 'id' }),
  answer: z.object({ name: z.string() }),
});

export const listNetworksBySites = call({
  method: 'GET',
  path: path('/server/sso/servers_by_subscribers', {}),
  summary: "The signed-in user's networks with the number of sites in each.",
  access: signedIn,
  answer: z.array(Network.extend({ sites: z.int() })),
});

export const getNetworkDetails = call({
  method: 'GET',
  path: path('/server/sso/server/:server/:id', { server: NamedNetwork, id: Id }),
  summary: 'A network with its numbers and the addresses of its identity provider.',
  access: networkMember({ server: 'name', id: 'id' }),
  answer: NetworkDetails,
});

export const createNetwork = call({
  method: 'POST',
  path: path('/server/sso/servers/new', {}),
  summary:
    'Create a network and invite its first owner. The person who creates it becomes a member. Without a mail server, the answer contains the invitation as a link.',
  access: afterFreshSignIn(mainAdmin),
  body: NetworkDraft,
  answer: CreatedNetwork,
});

export const setNetworkMode = call({
  method: 'PUT',
  path: path('/server/sso/network_mode', {}),
  summary: 'Set which sites the desktops of a network show.',
  access: networkAdmin({ server: 'name' }),
  body: z.strictObject({ server: NamedNetwork, mode: NetworkMode, ...basedOn }),
  answer: z.object({ message: z.string(), ...versioned }),
});
