import { z } from 'zod';
import { inSession, networkAdmin, networkMember } from '../access.ts';
import { call } from '../call.ts';
import { Done, Id, NamedNetwork, wrapped } from '../fields.ts';
import { NetworkMode } from '../networks/networks.schemas.ts';
import { path } from '../paths.ts';
import { Version } from '../versions.ts';
import {
  ArrangedSections,
  CollapsedSection,
  ConfiguredApp,
  DesktopApp,
  DesktopFavourite,
  DesktopGroups,
  DesktopSections,
  SectionsDraft,
  ViewedDesktop,
} from './desktop.schemas.ts';

export const listDesktopApps = call({
  method: 'GET',
  path: path('/server/sso/desktop_apps/:server_id', { server_id: Id }),
  summary: "All apps of a network's desktop.",
  access: networkAdmin({ server_id: 'id' }),
  answer: z.array(ConfiguredApp),
});

export const saveDesktopApps = call({
  method: 'POST',
  path: path('/server/sso/desktop_apps/:server_id', { server_id: Id }),
  summary:
    "Set which sites are on a network's desktop, and their order. Refused if somebody else has changed the desktop meanwhile.",
  access: networkAdmin({ server_id: 'id' }),
  body: wrapped(DesktopGroups),
  // Room for two groups with the maximum number of ids.
  maxBody: 256 * 1_024,
  answer: Done.extend({ version: z.int() }),
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
  summary: "The apps of a network's desktop that are shown to the signed-in user.",
  access: inSession(
    networkMember({ selectedId: 'id', ssoId: 'sso_id', serverId: 'id', selectedServer: 'name' }, { uid: 'uid' }),
  ),
  answer: z.array(DesktopApp),
});

export const getDesktopSections = call({
  method: 'GET',
  path: path('/server/sso/desktop_sections/:server_id', { server_id: Id }),
  summary: "The signed-in user's favourites and sections on a network's desktop, and the apps that they used last.",
  access: inSession(networkMember({ server_id: 'id' })),
  answer: DesktopSections,
});

/** A favourite belongs to the person of the session, so no call names another person. */
export const setDesktopFavourite = call({
  method: 'PUT',
  path: path('/server/sso/desktop_favourite/:site_id', { site_id: Id }),
  summary: "Add an app of the signed-in user's desktop to their favourites, or remove it from them.",
  access: inSession(networkMember({ site_id: 'site' })),
  body: DesktopFavourite,
  answer: DesktopFavourite,
});

/** Sections belong to the person of the session. Two browsers of this person do not overwrite each other. */
export const saveDesktopSections = call({
  method: 'PUT',
  path: path('/server/sso/desktop_sections/:server_id', { server_id: Id }),
  summary:
    "Set the signed-in user's own sections on a network's desktop, with their order and apps. Refused if they were changed meanwhile.",
  access: inSession(networkMember({ server_id: 'id' })),
  body: SectionsDraft,
  answer: ArrangedSections,
});

export const collapseDesktopSection = call({
  method: 'PUT',
  path: path('/server/sso/desktop_section/:server_id/:section_id', { server_id: Id, section_id: Id }),
  summary: "Collapse one of the signed-in user's own sections on a network's desktop, or expand it.",
  access: inSession(networkMember({ server_id: 'id' })),
  body: CollapsedSection,
  answer: CollapsedSection,
});

export const listAvailableApps = call({
  method: 'GET',
  path: path('/server/sso/available_apps/:server_id', { server_id: Id }),
  summary: 'The sites of a network that are not on its desktop, by domain, its mode, and the version of the desktop.',
  access: networkAdmin({ server_id: 'id' }),
  answer: z.object({
    sites: z.array(ConfiguredApp),
    server_mode: NetworkMode,
    version: z.int(),
    /** The version of the mode, to send along when it is changed. */
    mode_version: Version,
  }),
});

/** Each call is recorded in the audit log, so it is not a GET request, which a browser may repeat. */
export const viewDesktop = call({
  method: 'POST',
  path: path('/server/sso/desktop_of/:user_id/:server_id', { user_id: Id, server_id: Id }),
  summary:
    "The apps of a network's desktop that are shown to one of its users. Each view is recorded in the audit log.",
  access: networkAdmin({ user_id: 'member', server_id: 'id' }),
  answer: ViewedDesktop,
});
