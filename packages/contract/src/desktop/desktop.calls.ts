import { z } from 'zod';
import { networkAdmin, networkMember } from '../access.ts';
import { call } from '../call.ts';
import { Id, NamedNetwork } from '../fields.ts';
import { NetworkMode } from '../networks/networks.schemas.ts';
import { path } from '../paths.ts';
import { AvailableApp, DesktopApp } from './desktop.schemas.ts';

export const listDesktopApps = call({
  method: 'GET',
  path: path('/server/sso/desktop_apps/:server_id', { server_id: Id }),
  summary: "All apps of a network's desktop.",
  access: networkAdmin({ server_id: 'id' }),
  answer: z.array(DesktopApp),
});

export const listUserDesktopApps = call({
  method: 'GET',
  path: path('/server/sso/user_desktop_apps/:selectedId/:ssoId/:serverId/:selectedServer/:uid', {
    selectedId: Id,
    ssoId: z.string().min(1).max(64),
    serverId: Id,
    selectedServer: NamedNetwork,
    uid: z.string().min(1).max(64),
  }),
  summary: "The apps of a network's desktop that the signed-in user is shown.",
  access: networkMember({ selectedId: 'id', ssoId: 'sso_id', serverId: 'id', selectedServer: 'name' }, { uid: 'uid' }),
  answer: z.array(DesktopApp),
});

export const listAvailableApps = call({
  method: 'GET',
  path: path('/server/sso/available_apps/:server_id', { server_id: Id }),
  summary: 'The sites of a network that are not on its desktop, and its mode.',
  access: networkAdmin({ server_id: 'id' }),
  answer: z.object({ sites: z.array(AvailableApp), server_mode: NetworkMode }),
});
