import { SocialProvider } from '@opensocial/contract';
import { eq } from 'drizzle-orm';
import {
  auditRecords,
  emailTemplateVersions,
  groupSites,
  groupUsers,
  type images,
  loginLog,
  oidcSecrets,
  owners,
  signingKeys,
  type sites,
  siteVisits,
  trash,
  unknownArrivals,
  type users,
} from '../../database/schema.ts';
import { makeSigningKey } from '../../secrets/signing-keys.ts';
import { newUid } from '../../secrets/tokens.ts';
import { makeGroup, makeImage, makeOidcSite, makeSite, makeUser, oidcParameters } from './builders.ts';
import { defaultSettingsForm } from './settings-form.ts';
import type { TestApp } from './test-app.ts';

type User = typeof users.$inferSelect;
type Image = typeof images.$inferSelect;
type Network = { id: number; name: string; sso_id: string };

export type CallInput = {
  params?: Record<string, unknown>;
  body?: Record<string, unknown>;
  query?: Record<string, unknown>;
  file?: File;
};

/** The caller with a passkey, a linked login and a section on the desktop, and a network with things that the call is about. */
export type World = {
  user: User;
  passkey: number;
  login: number;
  section: number;
  network: Network;
  things: Things;
};

/** One record of each kind in a network. They are made for every call, because some calls remove them. */
export type Things = {
  /** A word that is part of every name and text of these things. */
  word: string;
  site: typeof sites.$inferSelect;
  /** A site that uses OpenID Connect, with a secret. */
  client: typeof sites.$inferSelect;
  secret: { id: number };
  group: { id: number };
  groupUser: { id: number };
  owner: { id: number };
  /** A retired signing key. */
  key: { id: number };
  member: User;
  image: Image;
  icon: Image;
  /** A log line of the member. */
  line: { id: number };
  record: { id: number };
  version: { id: number };
  trashEntry: { id: number };
  /** A request of an application that is not registered. */
  arrival: { id: number };
};

export const inputOf = (name: string, world: World): CallInput => {
  const input = inputs[name];
  if (!input) throw new Error(`Add an input of ${name} to call-inputs.ts.`);
  return input(world);
};

/** A valid input of each call: the caller's own user, and the things of a network. A call without an entry fails the tests. */
const inputs: Record<string, (world: World) => CallInput> = {
  getSession: () => ({}),
  updateSession: () => ({ body: { picture: 'mine.png' } }),
  setSelected: ({ user, network }) => ({
    params: { userId: user.id },
    body: { selected_server: network.name, selected_id: network.id },
  }),
  setDefault: ({ user, network }) => ({
    params: { userId: user.id },
    body: {
      default_server: network.name,
      server_id: network.id,
      selected_server: network.name,
      selected_id: network.id,
    },
  }),
  listNetworks: ({ user }) => ({ params: { username: user.email, lastid: 0 } }),
  searchNetworks: ({ user }) => ({ params: { username: user.email, keyword: 'lab', lastid: 0 } }),
  getRole: ({ network }) => ({ params: { server: network.name } }),
  getSsoId: ({ network }) => ({ params: { server: network.name } }),
  getNetworkName: ({ network }) => ({ params: { id: network.id } }),
  listNetworksBySites: () => ({}),
  getNetworkDetails: ({ network }) => ({ params: { server: network.name, id: network.id } }),
  createNetwork: ({ user }) => ({ body: { name: `made-by-${user.id}`, owner: user.email } }),
  getAbout: () => ({}),
  getEmbeddedPages: () => ({}),
  setNetworkMode: ({ network }) => ({ body: { server: network.name, mode: 'All' } }),
  listDesktopApps: ({ network }) => ({ params: { server_id: network.id } }),
  listUserDesktopApps: ({ user, network }) => ({
    params: {
      selectedId: network.id,
      ssoId: network.sso_id,
      serverId: network.id,
      selectedServer: network.name,
      uid: user.uid,
    },
  }),
  getDesktopSections: ({ network }) => ({ params: { server_id: network.id } }),
  // The site of a group is not on the desktop of the member.
  saveDesktopSections: ({ section, network, things }) => ({
    params: { server_id: network.id },
    body: { sections: [{ id: section, name: 'Daily', apps: [things.client.id] }], version: 0 },
  }),
  collapseDesktopSection: ({ section, network }) => ({
    params: { server_id: network.id, section_id: section },
    body: { collapsed: true },
  }),
  setDesktopFavourite: ({ things }) => ({ params: { site_id: things.client.id }, body: { favourite: true } }),
  saveDesktopApps: ({ network, things }) => ({
    params: { server_id: network.id },
    body: { available_apps: [things.site.id], desktop_apps: [] },
  }),
  viewDesktop: ({ things, network }) => ({ params: { user_id: things.member.id, server_id: network.id } }),
  listAvailableApps: ({ network }) => ({ params: { server_id: network.id } }),
  listSites: ({ network }) => ({ params: { server_id: network.id, sso_server: network.name, lastid: 0 } }),
  getSite: ({ things }) => ({ params: { site_id: things.site.id } }),
  updateSite: ({ things }) => ({ params: { siteId: things.site.id }, body: siteChanges }),
  updateSiteInfo: ({ things, network }) => ({
    params: { server: network.name },
    body: { ...siteInfo, id: things.site.id },
  }),
  getSubscriber: ({ things, network }) => ({ params: { site_id: things.site.id, server_name: network.name } }),
  createSite: ({ network, user }) => ({
    params: { server_id: network.id, server_name: network.name },
    body: parametersOf(`made-by-${user.id}.northlab.org`),
  }),
  updateSubscriber: ({ things, network }) => ({
    params: { server_name: network.name },
    body: { ...parametersOf(things.site.domain), id: things.site.id },
  }),
  getSiteLogins: ({ things }) => ({
    params: { site_id: things.site.id },
    query: { auth_options: 'google', custom_auth_options: '' },
  }),
  previewSignIn: ({ network }) => ({
    params: { server: network.name },
    body: {
      footer_type: 'Custom',
      footer_link: '',
      custom_footer: '<p>Laboratory</p>',
      terms_of_use: '',
      privacy_statement: '',
      help_email: '',
      sign_up: 'Enable',
    },
  }),
  getLoginReach: ({ network }) => ({ params: { server: network.name }, query: { keys: 'google' } }),
  getSiteAttributes: ({ things }) => ({ params: { site_id: things.site.id } }),
  updateSiteAttributes: ({ things }) => ({ params: { site_id: things.site.id }, body: releaseForm }),
  previewSiteAttributes: ({ things }) => ({
    params: { site_id: things.site.id },
    body: { ...releaseForm, user_id: things.member.id, index: null },
  }),
  getGettingStarted: ({ network }) => ({ params: { server: network.name } }),
  changeGettingStarted: ({ network }) => ({ params: { server: network.name }, body: { dismissed: true } }),
  confirmBackups: () => ({ body: { done: true } }),
  testMailServer: () => ({}),
  getSiteHealth: ({ things }) => ({ params: { site_id: things.site.id } }),
  checkSite: ({ things }) => ({ params: { site_id: things.site.id } }),
  changeSiteHealth: ({ things }) => ({
    params: { site_id: things.site.id },
    body: { checks_reachability: true, shows_unreachable: true },
  }),
  getSiteMaintenance: ({ things }) => ({ params: { site_id: things.site.id } }),
  planSiteMaintenance: ({ things }) => ({
    params: { site_id: things.site.id },
    body: { closes_at: null, opens_at: null, testers_group_id: things.group.id },
  }),
  getSiteOverview: ({ things }) => ({ params: { site_id: things.site.id } }),
  getSiteMfa: ({ things }) => ({ params: { site_id: things.site.id } }),
  getOidcEndpoints: ({ network }) => ({ params: { server_name: network.name } }),
  createOidcSite: ({ user, network }) => ({
    params: { server_name: network.name },
    body: { ...oidcParameters(), domain: `client-of-${user.id}.northlab.org` },
  }),
  getOidcClient: ({ things }) => ({ params: { site_id: things.client.id } }),
  updateOidcClient: ({ things }) => ({ body: { ...oidcParameters(), id: things.client.id } }),
  createOidcSecret: ({ things }) => ({ params: { site_id: things.client.id } }),
  removeOidcSecret: ({ things }) => ({ params: { site_id: things.client.id, secret_id: things.secret.id } }),
  previewClaims: ({ things }) => ({
    params: { site_id: things.client.id },
    body: { user_id: things.member.id, attributes: null },
  }),
  listOidcKeys: ({ network }) => ({ params: { server: network.name } }),
  replaceOidcKey: ({ network }) => ({
    params: { server: network.name },
    body: { algorithm: 'ES256', is_compromised: true },
  }),
  readSiteMetadata: ({ network }) => ({ params: { server_name: network.name }, body: { xml: '<none/>' } }),
  readSiteMetadataFile: ({ network }) => ({
    params: { server_name: network.name },
    body: {},
    file: new File(['<none/>'], 'metadata.xml'),
  }),
  setSiteMode: ({ things }) => ({ params: { site_id: things.site.id, mode: 'Closed' } }),
  getModeAnnouncement: ({ things }) => ({ params: { site_id: things.site.id } }),
  getSiteRefresh: ({ things }) => ({ params: { site_id: things.site.id } }),
  refreshSite: ({ things }) => ({ params: { site_id: things.site.id } }),
  applySiteRefresh: ({ things }) => ({
    params: { site_id: things.site.id },
    body: { digest: 'none', chosen: ['acs'] },
  }),
  describeEntryChange: ({ things, network }) => ({
    params: { server_id: network.id },
    body: { deleted: [things.group.id] },
  }),
  findErrorReference: ({ network }) => ({ params: { server_name: network.name, reference: '12345-67890' } }),
  getSiteDiagnosis: ({ things }) => ({ params: { site_id: things.site.id } }),
  fixSite: ({ things }) => ({ params: { site_id: things.site.id, exchange_id: 1 }, body: { based_on: 0 } }),
  watchSite: ({ things }) => ({ params: { site_id: things.site.id } }),
  beginSiteTest: ({ things }) => ({ params: { site_id: things.site.id } }),
  getSiteTest: ({ things }) => ({ params: { site_id: things.site.id } }),
  listUnknownApplications: ({ network }) => ({ params: { server_name: network.name } }),
  dismissUnknownApplication: ({ things, network }) => ({
    params: { server_name: network.name, id: things.arrival.id },
  }),
  removeSite: ({ things, network }) => ({ params: { site_id: things.site.id, sso_server: network.name } }),
  getSettings: ({ network }) => ({ params: { server: network.name } }),
  updateSettings: ({ network }) => ({
    params: { server: network.name },
    body: { ...settingsForm, server: network.name },
  }),
  getPolicyReach: ({ network }) => ({
    params: { server: network.name },
    query: { password_expiration: 3, user_inactivity: 30, mfa: 'Enable' },
  }),
  setFooterType: ({ network }) => ({
    params: { server: network.name },
    body: { server: network.name, footer_type: 'Custom' },
  }),
  updateNetworkImage: ({ network }) => ({ params: { server: network.name }, body: { logo: 'none' } }),
  removeNetworkImage: ({ network }) => ({ params: { server: network.name, kind: 'remove_logo' } }),
  updateSiteImage: ({ things }) => ({ body: { id: things.site.id, logo: 'none' } }),
  removeSiteImage: ({ things }) => ({ params: { siteId: things.site.id, kind: 'remove_logo' } }),
  listSiteGroups: ({ things, network }) => ({ params: { site_id: things.site.id, server_id: network.id, lastid: 0 } }),
  listGroupsToAssignToSite: ({ things, network }) => ({
    params: { site_id: things.site.id, server_id: network.id, lastid: 0 },
  }),
  assignSite: ({ things }) => ({ body: { group_id: things.group.id, subscriber_id: things.site.id } }),
  unassignSite: ({ things }) => ({ params: { group_id: things.group.id, site_id: things.site.id } }),
  listSiteUsers: ({ things, network }) => ({ params: { siteId: things.site.id, serverId: network.id, lastid: 0 } }),
  listAllSiteUsers: ({ things, network }) => ({ params: { siteId: things.site.id, serverId: network.id } }),
  delinkSiteUser: ({ things, network }) => ({
    params: { userId: things.member.id, siteId: things.site.id, serverId: network.id },
  }),
  listImages: ({ network }) => ({ params: { server: network.name, lastid: 0 } }),
  getImage: ({ things }) => ({ params: { name: things.image.name } }),
  updateImage: ({ things }) => ({ params: { id: things.image.id }, body: imageChanges }),
  removeImage: ({ things }) => ({ params: { name: things.image.name }, query: {} }),
  uploadImage: ({ network }) => ({ body: { sso_server: network.name }, file: new File(['no picture'], 'a.png') }),
  listIconImages: ({ network }) => ({ params: { server: network.name, lastid: 0 } }),
  getIconImage: ({ things, network }) => ({ params: { server: network.name, name: things.icon.name } }),
  updateIconImage: ({ things }) => ({ params: { id: things.icon.id }, body: imageChanges }),
  removeIconImage: ({ things, network }) => ({ params: { server: network.name, name: things.icon.name }, query: {} }),
  uploadIconImage: ({ network }) => ({ body: { sso_server: network.name }, file: new File(['no picture'], 'a.png') }),
  listGroups: ({ network }) => ({ params: { serverId: network.id, serverName: network.name, lastId: 0 } }),
  getGroup: ({ things }) => ({ params: { groupId: things.group.id } }),
  createGroup: ({ network, user }) => ({
    body: { name: `Made by ${user.id}`, description: 'A group', sso_server: network.id },
  }),
  updateGroup: ({ things, network }) => ({
    body: { id: things.group.id, name: `Group ${things.group.id}`, description: 'A group', sso_server: network.id },
  }),
  removeGroup: ({ things }) => ({ params: { groupId: things.group.id } }),
  listGroupUsers: ({ things, network }) => ({
    params: { groupId: things.group.id, serverName: network.name, lastId: 0 },
  }),
  listUsersToAssign: ({ things, network }) => ({
    params: { groupId: things.group.id, serverId: network.id, lastId: 0 },
  }),
  assignUser: ({ things }) => ({ body: { group_id: things.group.id, user_id: things.member.id } }),
  unassignUser: ({ things }) => ({ params: { groupId: things.group.id, userId: things.member.id } }),
  listGroupSites: ({ things, network }) => ({ params: { groupId: things.group.id, serverId: network.id, lastId: 0 } }),
  listSitesToAssign: ({ things, network }) => ({
    params: { groupId: things.group.id, serverId: network.id, lastId: 0 },
  }),
  listOwners: ({ network }) => ({ params: { serverName: network.name, serverId: network.id, lastId: 0 } }),
  createOwner: ({ network, user }) => ({
    params: { serverName: network.name },
    body: { sso_server: network.name, sso_id: network.sso_id, owner: `made-by-${user.id}@northlab.org` },
  }),
  listInvitedOwners: ({ network }) => ({ params: { serverName: network.name, serverId: network.id } }),
  inviteOwner: ({ things, network }) => ({
    params: { serverName: network.name },
    body: { owner_id: things.owner.id },
  }),
  removeOwner: ({ things, network }) => ({ params: { serverName: network.name, ownerId: things.owner.id } }),
  listSigningKeys: ({ network }) => ({ params: { server: network.name } }),
  listSigningKeySites: ({ network }) => ({ params: { server: network.name, lastid: 0 } }),
  createSigningKey: ({ network }) => ({ params: { server: network.name }, body: { algorithm: 'ec-p256' } }),
  trySigningKey: ({ things, network }) => ({ params: { server: network.name, key_id: things.key.id } }),
  stopTryingSigningKey: ({ things, network }) => ({ params: { server: network.name, key_id: things.key.id } }),
  switchSite: ({ things, network }) => ({
    params: { server: network.name, key_id: things.key.id },
    body: { site_id: things.site.id },
  }),
  switchAllSites: ({ things, network }) => ({ params: { server: network.name, key_id: things.key.id } }),
  retireSigningKey: ({ things, network }) => ({ params: { server: network.name, key_id: things.key.id } }),
  removeSigningKey: ({ things, network }) => ({ params: { server: network.name, key_id: things.key.id } }),
  getTemplates: ({ network }) => ({ params: { server: network.name } }),
  getTemplateVersions: ({ network }) => ({ params: { server: network.name, kind: 'reset' } }),
  getTemplateVersion: ({ things, network }) => ({ params: { server: network.name, id: things.version.id } }),
  updateTemplate: ({ network }) => ({
    params: { server: network.name },
    body: { server: network.name, request: 'signup_swtich', use_signup_temp: 'No' },
  }),
  sendTestMail: ({ network }) => ({
    params: { server: network.name },
    body: { kind: 'signup', template: JSON.stringify({ design: null, html: 'Hello' }) },
  }),
  recordAuditClaim: () => ({
    body: { audit_type: 'OpenSocial', action: 'delete', description: 'x', user: 'x', source: 'x' },
  }),
  getAddress: () => ({}),
  listAudit: ({ network }) => ({ params: { server: network.name, lastid: 0 } }),
  listTrash: ({ network }) => ({ params: { server: network.name, lastid: 0 } }),
  getTrashRetention: ({ network }) => ({ params: { server: network.name } }),
  restoreFromTrash: ({ things, network }) => ({ params: { server: network.name, id: things.trashEntry.id } }),
  removeFromTrash: ({ things, network }) => ({ params: { server: network.name, id: things.trashEntry.id } }),
  emptyTrash: ({ network }) => ({ params: { server: network.name } }),
  revertChange: ({ things, network }) => ({ params: { server: network.name, id: things.record.id } }),
  getAuditRecord: ({ things, network }) => ({ params: { server: network.name, id: things.record.id } }),
  listUsers: ({ network }) => ({ params: { serverId: network.id, serverName: network.name, lastId: 0 } }),
  createUser: ({ network, user }) => ({
    body: {
      email: `invited-by-${user.id}@northlab.org`,
      firstname: 'Bea',
      lastname: 'Ito',
      sso_server_id: network.id,
      signup_from: 'http://localhost:8080',
      signup_server: network.name,
      groups: [],
    },
  }),
  getUser: ({ things }) => ({ params: { user_id: things.member.id } }),
  updateUser: ({ things, network }) => ({
    body: {
      id: things.member.id,
      uid: things.member.uid,
      firstname: 'Bea',
      lastname: 'Ito',
      sso_server_id: network.id,
    },
  }),
  setUserMode: ({ things }) => ({ params: { userId: things.member.id, mode: 'Disable' } }),
  changeUser: ({ things, network }) => ({
    params: { userId: things.member.id, mode: 'NonConfirmed', serverName: network.name },
  }),
  removeUser: ({ things, network }) => ({
    body: { id: things.member.id, server_id: network.id, uid: things.member.uid, sso_server: network.name },
  }),
  setNeverDisable: ({ things }) => ({ body: { user_id: things.member.id, bypass_inactivity: 'Yes' } }),
  explainAccess: ({ things }) => ({ params: { site_id: things.site.id, user_id: things.member.id } }),
  getUserSecurity: ({ things, network }) => ({ params: { user_id: things.member.id, server_id: network.id } }),
  endUserSessions: ({ things, network }) => ({ body: { user_id: things.member.id, server_id: network.id } }),
  resetUserFactors: ({ things, network }) => ({ body: { user_id: things.member.id, server_id: network.id } }),
  sendUserReset: ({ things, network }) => ({ body: { user_id: things.member.id, server_id: network.id } }),
  copyUserInvitation: ({ things, network }) => ({ body: { user_id: things.member.id, server_id: network.id } }),
  getUserTimeline: ({ things, network }) => ({ params: { user_id: things.member.id, server_id: network.id } }),
  resendInvitation: ({ things, network }) => ({ body: { user_id: things.member.id, server_id: network.id } }),
  getSignupStatistics: ({ network }) => ({
    params: { serverName: network.name, fromDate: '2026-01-01', toDate: '2026-01-31' },
  }),
  getAllSignupStatistics: () => ({ params: { fromDate: '2026-01-01', toDate: '2026-01-31' } }),
  listUserSites: ({ things, network }) => ({ params: { user_id: things.member.id, server_id: network.id } }),
  listUserGroups: ({ things, network }) => ({ params: { user_id: things.member.id, server_id: network.id } }),
  removeUserGroup: ({ things }) => ({ params: { id: things.groupUser.id } }),
  listGroupsToAssignToUser: ({ things, network }) => ({
    params: { user_id: things.member.id, server_id: network.id, lastid: 0 },
  }),
  assignGroup: ({ things }) => ({ body: { group_id: things.group.id, user_id: things.member.id } }),
  listUserLog: ({ user }) => ({ params: { email: user.email, lastid: 0 } }),
  exportUsers: ({ network }) => ({ params: { serverId: network.id, serverName: network.name } }),
  listGroupOptions: ({ network }) => ({ params: { server_id: network.id, lastid: 0 } }),
  importUsers: ({ network }) => ({
    params: { server_id: network.id, server_name: network.name },
    body: { rows: [{ email: 'x@y.org', firstname: '', lastname: '', groups: [] }], apply: false },
  }),
  listIcons: () => ({ params: { lastid: 0 } }),
  listIconCategories: () => ({}),
  getOverview: ({ network }) => ({ params: { server: network.name } }),
  getSignInStatistics: ({ network }) => ({ params: { server: network.name, period: '7d' as const } }),
  listActivity: ({ network }) => ({ params: { server: network.name, lastid: 0 } }),
  getActivityLine: ({ things, network }) => ({ params: { server: network.name, id: things.line.id } }),
  exportActivity: ({ network }) => ({ params: { server: network.name } }),
  exportAudit: ({ network }) => ({ params: { server: network.name } }),
  getLogRetention: ({ network }) => ({ params: { server: network.name } }),
  followActivity: ({ network }) => ({ params: { server: network.name } }),
  verifyToken: () => ({ body: { email: 'x@y.org', code: 'none' } }),
  getActivationPolicy: () => ({ query: {} }),
  getProfile: ({ user }) => ({ params: { username: user.email } }),
  getPasswordPolicy: ({ network }) => ({ params: { default_server: network.name } }),
  changePassword: ({ user }) => ({ body: { email: user.email, current_password: 'no', password: 'no' } }),
  finishPasswordChange: ({ user }) => ({ body: { username: user.email, password: 'no' } }),
  updateName: ({ user }) => ({ body: { id: user.id, email: user.email, first_name: 'Ana', last_name: 'Moreno' } }),
  uploadProfilePicture: ({ user }) => ({ body: { email: user.email }, file: new File(['no picture'], 'a.png') }),
  listDevices: () => ({}),
  removeDevice: () => ({ params: { id: 2_000_000_000 } }),
  removeOtherDevices: () => ({}),
  listLogins: () => ({}),
  listOwnNetworks: () => ({}),
  acceptInvitation: () => ({ params: { server: 'acceptlab' } }),
  declineInvitation: () => ({ params: { server: 'declinelab' } }),
  leaveNetwork: () => ({ params: { server: 'leavelab' } }),
  removeLogin: ({ login }) => ({ params: { id: login } }),
  getMfaStatus: ({ user }) => ({ params: { username: user.email } }),
  getMfaSecret: ({ user }) => ({ params: { username: user.email } }),
  submitToken: ({ user }) => ({ body: { secret: 'none', token: '000000', email: user.email } }),
  removeMfa: ({ user }) => ({ body: { token: '000000', email: user.email } }),
  resetMfa: ({ user }) => ({ body: { email: user.email } }),
  createRecoveryCodes: ({ user }) => ({ body: { email: user.email } }),
  enableMailMfa: ({ user }) => ({ body: { id: user.id, email: user.email } }),
  disableMailMfa: ({ user }) => ({ body: { id: user.id, email: user.email } }),
  listPasskeys: () => ({}),
  beginPasskey: () => ({}),
  createPasskey: () => ({
    body: {
      name: 'Mine',
      passkey: {
        id: 'AA',
        rawId: 'AA',
        type: 'public-key',
        response: { clientDataJSON: 'AA', attestationObject: 'AA' },
      },
    },
  }),
  renamePasskey: ({ passkey }) => ({ params: { id: passkey }, body: { name: 'Mine' } }),
  removePasskey: ({ passkey }) => ({ params: { id: passkey } }),
  confirmSignup: () => ({ body: { email: 'x@y.org', code: 'none', password: 'p', signup_from: 'x' } }),
};

const parametersOf = (domain: string) => ({
  identity: `https://${domain}/metadata`,
  acs: `https://${domain}/acs`,
  sls: `https://${domain}/sls`,
  domain,
});

const imageChanges = { alt_text: '', title: 'Tree', caption: '', description: '' };

const settingsForm = {
  ...defaultSettingsForm,
  ...Object.fromEntries(
    SocialProvider.options.flatMap((name) => [
      [`${name}_key`, ''],
      [`${name}_secret`, ''],
    ]),
  ),
};

const siteInfo = {
  site_name: 'Reports',
  login_url: 'https://reports.northlab.org/',
  icon_color: '',
  icon_background: '',
  text_color: '',
  text_background: '',
  icon_width: 61,
  icon: '',
  icon_bg: '',
};

const releaseForm = {
  name_id_format: 'requested',
  name_id_source: 'email',
  attributes: null,
  attribute_index: null,
  further_attributes: [],
};

const siteChanges = {
  site_name: 'Reports',
  login_url: '',
  status: 'Active',
  site_mode: 'Open',
  closed_message: '',
  message_title: '',
  message: '',
  domain_level_settings: 'yes',
  terms_of_use: '',
  privacy_statement: '',
  help_email: '',
  mfa: 'Disable',
  auth_options: [],
  custom_auth_options: '',
  email_login: 1,
  icon: '',
  icon_bg: '',
  icon_color: '',
  icon_background: '',
  text_color: '',
  text_background: '',
  icon_width: 61,
  icon_height: 61,
  logo: '',
  background: '',
  with_out_group: 'yes',
};

const { certificate, privateKey } = await makeSigningKey('northlab', 'ec-p256');

export const makeThings = async ({ db, parts }: TestApp, network: Network): Promise<Things> => {
  const word = `w${newUid()}`;
  const draft = { network: network.name };
  const site = await makeSite(db, { ...draft, site_name: word, message: word, domain: `${word}.example.org` });
  const client = await makeOidcSite(db, { ...draft, site_name: word });
  const [secret = { id: 0 }] = await db
    .insert(oidcSecrets)
    .values({ site_id: client.id, secret_hash: Buffer.from('none'), hint: 'none' })
    .returning();
  const member = await makeUser(db, { ...draft, firstname: word, lastname: word });
  const group = await makeGroup(db, { ...draft, name: word, users: [member.id] });
  await db.insert(groupSites).values({ group_id: group.id, site_id: site.id });
  await db.insert(siteVisits).values({ user_id: member.id, site_id: site.id });
  const image = await makeImage(db, { ...draft, title: word, caption: word });
  const icon = await makeImage(db, { ...draft, kind: 'icon', title: word });
  const [groupUser = { id: 0 }] = await db.select().from(groupUsers).where(eq(groupUsers.group_id, group.id));
  const [owner = { id: 0 }] = await db
    .insert(owners)
    .values({ network_id: network.id, email: member.email })
    .returning();
  const [version = { id: 0 }] = await db
    .insert(emailTemplateVersions)
    .values({ network_id: network.id, kind: 'reset', html: word, saved_by: word })
    .returning();
  const [record = { id: 0 }] = await db
    .insert(auditRecords)
    .values({
      network_id: network.id,
      actor: word,
      audit_type: 'OpenSocial',
      action: 'update',
      description: 'update desktop',
    })
    .returning();
  const [line = { id: 0 }] = await db
    .insert(loginLog)
    .values({
      network_id: network.id,
      user_id: member.id,
      site: site.domain,
      login_status: 'Success',
      reason: 'password',
      ip_address: '10.0.0.1',
    })
    .returning();
  const [key = { id: 0 }] = await db
    .insert(signingKeys)
    .values({
      network_id: network.id,
      state: 'retired',
      private_key: parts.vault.encrypt(privateKey),
      certificate,
    })
    .returning();
  const [arrival = { id: 0 }] = await db
    .insert(unknownArrivals)
    .values({ network_id: network.id, protocol: 'saml', identity: word, address: '' })
    .returning();
  const [trashEntry = { id: 0 }] = await db
    .insert(trash)
    .values({
      network_id: network.id,
      kind: 'group',
      subject_id: group.id,
      label: word,
      detail: word,
      deleted_by: word,
      expires_at: new Date(Date.now() + 60_000),
      audit_id: record.id,
    })
    .returning();
  const inNetwork = { word, site, client, secret, group, groupUser, owner, key, member, image, icon, line };
  return { ...inNetwork, record, version, arrival, trashEntry };
};
