import { json } from 'node:stream/consumers';
import { type AnyCall, ApiError, callsByNoun, type ErrorAnswer, SocialProvider } from '@opensocial/contract';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  auditRecords,
  emailTemplateVersions,
  groupSites,
  groupUsers,
  type images,
  loginLog,
  networks,
  oidcSecrets,
  owners,
  signingKeys,
  type sites,
  siteVisits,
  socialIdentities,
  trash,
  unknownArrivals,
  type users,
} from '../database/schema.ts';
import { makeSigningKey } from '../secrets/signing-keys.ts';
import type { Browser } from '../testing/app/browser.ts';
import {
  makeGroup,
  makeImage,
  makeOidcSite,
  makePasskey,
  makeSite,
  makeUser,
  networkNamed,
  oidcParameters,
  signInto,
} from '../testing/app/builders.ts';
import { defaultSettingsForm } from '../testing/app/settings-form.ts';
import { buildTestApp, type TestApp } from '../testing/app/test-app.ts';

const roles = ['nobody', 'member', 'foreignAdmin', 'mainAdmin', 'admin'] as const;
type Role = (typeof roles)[number];
type User = typeof users.$inferSelect;
type Given = {
  params?: Record<string, unknown>;
  body?: Record<string, unknown>;
  query?: Record<string, unknown>;
  file?: File;
};
type World = { user: User; passkey: number; north: { id: number; sso_id: string }; things: Things };
type Image = typeof images.$inferSelect;
/** One record of each kind in northlab, created for every call, because some calls remove them. */
type Things = {
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

/** A login that is linked to each caller's account, by user id. */
const logins = new Map<number, number>();

/** The input of each call: the caller's own user, and the network northlab. A call without an entry fails the test. */
const given: Record<string, (world: World) => Given> = {
  getSession: () => ({}),
  updateSession: () => ({ body: { picture: 'mine.png' } }),
  setSelected: ({ user, north }) => ({
    params: { userId: user.id },
    body: { selected_server: 'northlab', selected_id: north.id },
  }),
  setDefault: ({ user, north }) => ({
    params: { userId: user.id },
    body: { default_server: 'northlab', server_id: north.id, selected_server: 'northlab', selected_id: north.id },
  }),
  listNetworks: ({ user }) => ({ params: { username: user.email, lastid: 0 } }),
  searchNetworks: ({ user }) => ({ params: { username: user.email, keyword: 'lab', lastid: 0 } }),
  getRole: () => ({ params: { server: 'northlab' } }),
  getSsoId: () => ({ params: { server: 'northlab' } }),
  getNetworkName: ({ north }) => ({ params: { id: north.id } }),
  listNetworksBySites: () => ({}),
  getNetworkDetails: ({ north }) => ({ params: { server: 'northlab', id: north.id } }),
  createNetwork: ({ user }) => ({ body: { name: `made-by-${user.id}`, owner: user.email } }),
  getAbout: () => ({}),
  getEmbeddedPages: () => ({}),
  setNetworkMode: () => ({ body: { server: 'northlab', mode: 'All' } }),
  listDesktopApps: ({ north }) => ({ params: { server_id: north.id } }),
  listUserDesktopApps: ({ user, north }) => ({
    params: {
      selectedId: north.id,
      ssoId: north.sso_id,
      serverId: north.id,
      selectedServer: 'northlab',
      uid: user.uid,
    },
  }),
  getDesktopSections: ({ north }) => ({ params: { server_id: north.id } }),
  // The site of a group is not on the desktop of the member.
  setDesktopFavourite: ({ things }) => ({ params: { site_id: things.client.id }, body: { favourite: true } }),
  saveDesktopApps: ({ north, things }) => ({
    params: { server_id: north.id },
    body: { available_apps: [things.site.id], desktop_apps: [] },
  }),
  viewDesktop: ({ things, north }) => ({ params: { user_id: things.member.id, server_id: north.id } }),
  listAvailableApps: ({ north }) => ({ params: { server_id: north.id } }),
  listSites: ({ north }) => ({ params: { server_id: north.id, sso_server: 'northlab', lastid: 0 } }),
  getSite: ({ things }) => ({ params: { site_id: things.site.id } }),
  updateSite: ({ things }) => ({ params: { siteId: things.site.id }, body: siteChanges }),
  updateSiteInfo: ({ things }) => ({ params: { server: 'northlab' }, body: { ...siteInfo, id: things.site.id } }),
  getSubscriber: ({ things }) => ({ params: { site_id: things.site.id, server_name: 'northlab' } }),
  createSite: ({ north, user }) => ({
    params: { server_id: north.id, server_name: 'northlab' },
    body: parametersOf(`made-by-${user.id}.northlab.org`),
  }),
  updateSubscriber: ({ things }) => ({
    params: { server_name: 'northlab' },
    body: { ...parametersOf(things.site.domain), id: things.site.id },
  }),
  getSiteLogins: ({ things }) => ({
    params: { site_id: things.site.id },
    query: { auth_options: 'google', custom_auth_options: '' },
  }),
  previewSignIn: () => ({
    params: { server: 'northlab' },
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
  getLoginReach: () => ({ params: { server: 'northlab' }, query: { keys: 'google' } }),
  getSiteAttributes: ({ things }) => ({ params: { site_id: things.site.id } }),
  updateSiteAttributes: ({ things }) => ({ params: { site_id: things.site.id }, body: releaseForm }),
  previewSiteAttributes: ({ things }) => ({
    params: { site_id: things.site.id },
    body: { ...releaseForm, user_id: things.member.id, index: null },
  }),
  getGettingStarted: () => ({ params: { server: 'northlab' } }),
  changeGettingStarted: () => ({ params: { server: 'northlab' }, body: { dismissed: true } }),
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
  getOidcEndpoints: () => ({ params: { server_name: 'northlab' } }),
  createOidcSite: ({ user }) => ({
    params: { server_name: 'northlab' },
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
  listOidcKeys: () => ({ params: { server: 'northlab' } }),
  replaceOidcKey: () => ({ params: { server: 'northlab' }, body: { algorithm: 'ES256', is_compromised: true } }),
  readSiteMetadata: () => ({ params: { server_name: 'northlab' }, body: { xml: '<none/>' } }),
  readSiteMetadataFile: () => ({
    params: { server_name: 'northlab' },
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
  getSiteDiagnosis: ({ things }) => ({ params: { site_id: things.site.id } }),
  fixSite: ({ things }) => ({ params: { site_id: things.site.id, exchange_id: 1 }, body: { based_on: 0 } }),
  watchSite: ({ things }) => ({ params: { site_id: things.site.id } }),
  beginSiteTest: ({ things }) => ({ params: { site_id: things.site.id } }),
  getSiteTest: ({ things }) => ({ params: { site_id: things.site.id } }),
  listUnknownApplications: () => ({ params: { server_name: 'northlab' } }),
  dismissUnknownApplication: ({ things }) => ({ params: { server_name: 'northlab', id: things.arrival.id } }),
  removeSite: ({ things }) => ({ params: { site_id: things.site.id, sso_server: 'northlab' } }),
  getSettings: () => ({ params: { server: 'northlab' } }),
  updateSettings: () => ({ params: { server: 'northlab' }, body: settingsForm }),
  getPolicyReach: () => ({
    params: { server: 'northlab' },
    query: { password_expiration: 3, user_inactivity: 30, mfa: 'Enable' },
  }),
  setFooterType: () => ({ params: { server: 'northlab' }, body: { server: 'northlab', footer_type: 'Custom' } }),
  updateNetworkImage: () => ({ params: { server: 'northlab' }, body: { logo: 'none' } }),
  removeNetworkImage: () => ({ params: { server: 'northlab', kind: 'remove_logo' } }),
  updateSiteImage: ({ things }) => ({ body: { id: things.site.id, logo: 'none' } }),
  removeSiteImage: ({ things }) => ({ params: { siteId: things.site.id, kind: 'remove_logo' } }),
  listSiteGroups: ({ things, north }) => ({ params: { site_id: things.site.id, server_id: north.id, lastid: 0 } }),
  listGroupsToAssignToSite: ({ things, north }) => ({
    params: { site_id: things.site.id, server_id: north.id, lastid: 0 },
  }),
  assignSite: ({ things }) => ({ body: { group_id: things.group.id, subscriber_id: things.site.id } }),
  unassignSite: ({ things }) => ({ params: { group_id: things.group.id, site_id: things.site.id } }),
  listSiteUsers: ({ things, north }) => ({ params: { siteId: things.site.id, serverId: north.id, lastid: 0 } }),
  listAllSiteUsers: ({ things, north }) => ({ params: { siteId: things.site.id, serverId: north.id } }),
  delinkSiteUser: ({ things, north }) => ({
    params: { userId: things.member.id, siteId: things.site.id, serverId: north.id },
  }),
  listImages: () => ({ params: { server: 'northlab', lastid: 0 } }),
  getImage: ({ things }) => ({ params: { name: things.image.name } }),
  updateImage: ({ things }) => ({ params: { id: things.image.id }, body: imageChanges }),
  removeImage: ({ things }) => ({ params: { name: things.image.name }, query: {} }),
  uploadImage: () => ({ body: { sso_server: 'northlab' }, file: new File(['no picture'], 'a.png') }),
  listIconImages: () => ({ params: { server: 'northlab', lastid: 0 } }),
  getIconImage: ({ things }) => ({ params: { server: 'northlab', name: things.icon.name } }),
  updateIconImage: ({ things }) => ({ params: { id: things.icon.id }, body: imageChanges }),
  removeIconImage: ({ things }) => ({ params: { server: 'northlab', name: things.icon.name }, query: {} }),
  uploadIconImage: () => ({ body: { sso_server: 'northlab' }, file: new File(['no picture'], 'a.png') }),
  listGroups: ({ north }) => ({ params: { serverId: north.id, serverName: 'northlab', lastId: 0 } }),
  getGroup: ({ things }) => ({ params: { groupId: things.group.id } }),
  createGroup: ({ north, user }) => ({
    body: { name: `Made by ${user.id}`, description: 'A group', sso_server: north.id },
  }),
  updateGroup: ({ things, north }) => ({
    body: { id: things.group.id, name: `Group ${things.group.id}`, description: 'A group', sso_server: north.id },
  }),
  removeGroup: ({ things }) => ({ params: { groupId: things.group.id } }),
  listGroupUsers: ({ things }) => ({ params: { groupId: things.group.id, serverName: 'northlab', lastId: 0 } }),
  listUsersToAssign: ({ things, north }) => ({
    params: { groupId: things.group.id, serverId: north.id, lastId: 0 },
  }),
  assignUser: ({ things }) => ({ body: { group_id: things.group.id, user_id: things.member.id } }),
  unassignUser: ({ things }) => ({ params: { groupId: things.group.id, userId: things.member.id } }),
  listGroupSites: ({ things, north }) => ({ params: { groupId: things.group.id, serverId: north.id, lastId: 0 } }),
  listSitesToAssign: ({ things, north }) => ({
    params: { groupId: things.group.id, serverId: north.id, lastId: 0 },
  }),
  listOwners: ({ north }) => ({ params: { serverName: 'northlab', serverId: north.id, lastId: 0 } }),
  createOwner: ({ north, user }) => ({
    params: { serverName: 'northlab' },
    body: { sso_server: 'northlab', sso_id: north.sso_id, owner: `made-by-${user.id}@northlab.org` },
  }),
  removeOwner: ({ things }) => ({ params: { serverName: 'northlab', ownerId: things.owner.id } }),
  listSigningKeys: () => ({ params: { server: 'northlab' } }),
  listSigningKeySites: () => ({ params: { server: 'northlab', lastid: 0 } }),
  createSigningKey: () => ({ params: { server: 'northlab' }, body: { algorithm: 'ec-p256' } }),
  trySigningKey: ({ things }) => ({ params: { server: 'northlab', key_id: things.key.id } }),
  stopTryingSigningKey: ({ things }) => ({ params: { server: 'northlab', key_id: things.key.id } }),
  switchSite: ({ things }) => ({
    params: { server: 'northlab', key_id: things.key.id },
    body: { site_id: things.site.id },
  }),
  switchAllSites: ({ things }) => ({ params: { server: 'northlab', key_id: things.key.id } }),
  retireSigningKey: ({ things }) => ({ params: { server: 'northlab', key_id: things.key.id } }),
  removeSigningKey: ({ things }) => ({ params: { server: 'northlab', key_id: things.key.id } }),
  getTemplates: () => ({ params: { server: 'northlab' } }),
  getTemplateVersions: () => ({ params: { server: 'northlab', kind: 'reset' } }),
  getTemplateVersion: ({ things }) => ({ params: { server: 'northlab', id: things.version.id } }),
  updateTemplate: () => ({
    params: { server: 'northlab' },
    body: { server: 'northlab', request: 'signup_swtich', use_signup_temp: 'No' },
  }),
  sendTestMail: () => ({
    params: { server: 'northlab' },
    body: { kind: 'signup', template: JSON.stringify({ design: null, html: 'Hello' }) },
  }),
  recordAuditClaim: () => ({
    body: { audit_type: 'OpenSocial', action: 'delete', description: 'x', user: 'x', source: 'x' },
  }),
  getAddress: () => ({}),
  listAudit: () => ({ params: { server: 'northlab', lastid: 0 } }),
  listTrash: () => ({ params: { server: 'northlab', lastid: 0 } }),
  getTrashRetention: () => ({ params: { server: 'northlab' } }),
  restoreFromTrash: ({ things }) => ({ params: { server: 'northlab', id: things.trashEntry.id } }),
  removeFromTrash: ({ things }) => ({ params: { server: 'northlab', id: things.trashEntry.id } }),
  emptyTrash: () => ({ params: { server: 'northlab' } }),
  revertChange: ({ things }) => ({ params: { server: 'northlab', id: things.record.id } }),
  getAuditRecord: ({ things }) => ({ params: { server: 'northlab', id: things.record.id } }),
  listUsers: ({ north }) => ({ params: { serverId: north.id, serverName: 'northlab', lastId: 0 } }),
  createUser: ({ north, user }) => ({
    body: {
      email: `invited-by-${user.id}@northlab.org`,
      firstname: 'Bea',
      lastname: 'Ito',
      sso_server_id: north.id,
      signup_from: 'http://localhost:8080',
      signup_server: 'northlab',
      groups: [],
    },
  }),
  getUser: ({ things }) => ({ params: { user_id: things.member.id } }),
  updateUser: ({ things, north }) => ({
    body: {
      id: things.member.id,
      uid: things.member.uid,
      firstname: 'Bea',
      lastname: 'Ito',
      sso_server_id: north.id,
    },
  }),
  setUserMode: ({ things }) => ({ params: { userId: things.member.id, mode: 'Disable' } }),
  changeUser: ({ things }) => ({
    params: { userId: things.member.id, mode: 'NonConfirmed', serverName: 'northlab' },
  }),
  removeUser: ({ things, north }) => ({
    body: { id: things.member.id, server_id: north.id, uid: things.member.uid, sso_server: 'northlab' },
  }),
  setNeverDisable: ({ things }) => ({ body: { user_id: things.member.id, bypass_inactivity: 'Yes' } }),
  explainAccess: ({ things }) => ({ params: { site_id: things.site.id, user_id: things.member.id } }),
  getUserSecurity: ({ things, north }) => ({ params: { user_id: things.member.id, server_id: north.id } }),
  endUserSessions: ({ things, north }) => ({ body: { user_id: things.member.id, server_id: north.id } }),
  resetUserFactors: ({ things, north }) => ({ body: { user_id: things.member.id, server_id: north.id } }),
  sendUserReset: ({ things, north }) => ({ body: { user_id: things.member.id, server_id: north.id } }),
  copyUserInvitation: ({ things, north }) => ({ body: { user_id: things.member.id, server_id: north.id } }),
  getUserTimeline: ({ things, north }) => ({ params: { user_id: things.member.id, server_id: north.id } }),
  resendInvitation: ({ things, north }) => ({ body: { user_id: things.member.id, server_id: north.id } }),
  getSignupStatistics: () => ({
    params: { serverName: 'northlab', fromDate: '2026-01-01', toDate: '2026-01-31' },
  }),
  getAllSignupStatistics: () => ({ params: { fromDate: '2026-01-01', toDate: '2026-01-31' } }),
  listUserSites: ({ things, north }) => ({ params: { user_id: things.member.id, server_id: north.id } }),
  listUserGroups: ({ things, north }) => ({ params: { user_id: things.member.id, server_id: north.id } }),
  removeUserGroup: ({ things }) => ({ params: { id: things.groupUser.id } }),
  listGroupsToAssignToUser: ({ things, north }) => ({
    params: { user_id: things.member.id, server_id: north.id, lastid: 0 },
  }),
  assignGroup: ({ things }) => ({ body: { group_id: things.group.id, user_id: things.member.id } }),
  listUserLog: ({ user }) => ({ params: { email: user.email, lastid: 0 } }),
  exportUsers: ({ north }) => ({ params: { serverId: north.id, serverName: 'northlab' } }),
  listGroupOptions: ({ north }) => ({ params: { server_id: north.id, lastid: 0 } }),
  importUsers: ({ north }) => ({
    params: { server_id: north.id, server_name: 'northlab' },
    body: { rows: [{ email: 'x@y.org', firstname: '', lastname: '', groups: [] }], apply: false },
  }),
  listIcons: () => ({ params: { lastid: 0 } }),
  listIconCategories: () => ({}),
  getOverview: () => ({ params: { server: 'northlab' } }),
  getSignInStatistics: () => ({ params: { server: 'northlab', period: '7d' as const } }),
  listActivity: () => ({ params: { server: 'northlab', lastid: 0 } }),
  getActivityLine: ({ things }) => ({ params: { server: 'northlab', id: things.line.id } }),
  exportActivity: () => ({ params: { server: 'northlab' } }),
  getLogRetention: () => ({ params: { server: 'northlab' } }),
  followActivity: () => ({ params: { server: 'northlab' } }),
  verifyToken: () => ({ body: { email: 'x@y.org', code: 'none' } }),
  getActivationPolicy: () => ({ query: {} }),
  getProfile: ({ user }) => ({ params: { username: user.email } }),
  getPasswordPolicy: () => ({ params: { default_server: 'northlab' } }),
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
  removeLogin: ({ user }) => ({ params: { id: logins.get(user.id) ?? 0 } }),
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

/** The result of each access for each role: 'in' is any answer that does not refuse the caller. */
const expected: Record<AnyCall['access']['who'], Record<Role, 'in' | ApiError['code']>> = {
  anyone: { nobody: 'in', member: 'in', foreignAdmin: 'in', mainAdmin: 'in', admin: 'in' },
  signedIn: { nobody: 'auth_required', member: 'in', foreignAdmin: 'in', mainAdmin: 'in', admin: 'in' },
  self: { nobody: 'auth_required', member: 'in', foreignAdmin: 'in', mainAdmin: 'in', admin: 'in' },
  mainAdmin: {
    nobody: 'auth_required',
    member: 'forbidden',
    foreignAdmin: 'forbidden',
    mainAdmin: 'in',
    admin: 'forbidden',
  },
  // Each caller's selected network is their own home network.
  selectedAdmin: {
    nobody: 'auth_required',
    member: 'forbidden',
    foreignAdmin: 'in',
    mainAdmin: 'in',
    admin: 'in',
  },
  networkMember: {
    nobody: 'auth_required',
    member: 'in',
    foreignAdmin: 'not_found',
    mainAdmin: 'not_found',
    admin: 'in',
  },
  networkAdmin: {
    nobody: 'auth_required',
    member: 'forbidden',
    foreignAdmin: 'not_found',
    mainAdmin: 'not_found',
    admin: 'in',
  },
};

const parametersOf = (domain: string) => ({
  identity: `https://${domain}/metadata`,
  acs: `https://${domain}/acs`,
  sls: `https://${domain}/sls`,
  domain,
});

const imageChanges = { alt_text: '', title: 'Tree', caption: '', description: '' };

const settingsForm = {
  server: 'northlab',
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

const refusals = new Set<ApiError['code']>(['auth_required', 'forbidden', 'not_found', 'cross_site']);
/** A foreign network in the body: the call itself refuses it, after the access check has admitted the caller. */
const ownNetworkChecks = new Set(['setSelected', 'setDefault']);

let testApp: TestApp;
let north: World['north'];
const people = {} as Record<Role, { user: User; passkey: number; browser: Browser }>;

beforeAll(async () => {
  testApp = await buildTestApp();
  north = await networkNamed(testApp.db, 'northlab');
  const drafts = {
    nobody: {},
    member: {},
    foreignAdmin: { network: 'southlab', owns: ['southlab'] },
    mainAdmin: { network: 'opensocial', owns: ['opensocial'] },
    admin: { owns: ['northlab'] },
  };
  for (const name of ['acceptlab', 'declinelab', 'leavelab'])
    await testApp.db.insert(networks).values({ name, sso_id: name });
  for (const [role, draft] of Object.entries(drafts) as [Role, object][]) {
    const user = await makeUser(testApp.db, { ...draft, alsoIn: ['leavelab'] });
    for (const network of ['acceptlab', 'declinelab'])
      await makeUser(testApp.db, { network, email: user.email, provisional: true });
    const browser = testApp.browser();
    const passkey = await makePasskey(testApp.db, user);
    const link = { user_id: user.id, provider: 'google', subject: user.uid };
    const [login] = await testApp.db.insert(socialIdentities).values(link).returning();
    logins.set(user.id, login?.id ?? 0);
    const proven = { mfa: 'passkey' as const };
    if (role !== 'nobody') await signInto(testApp.db, browser, user, new Date(), proven);
    people[role] = { user, passkey, browser };
  }
});

const { certificate, privateKey } = await makeSigningKey('northlab', 'ec-p256');

const makeThings = async (): Promise<Things> => {
  const site = await makeSite(testApp.db);
  const client = await makeOidcSite(testApp.db);
  const [secret = { id: 0 }] = await testApp.db
    .insert(oidcSecrets)
    .values({ site_id: client.id, secret_hash: Buffer.from('none'), hint: 'none' })
    .returning();
  const member = await makeUser(testApp.db);
  const group = await makeGroup(testApp.db, { users: [member.id] });
  await testApp.db.insert(groupSites).values({ group_id: group.id, site_id: site.id });
  await testApp.db.insert(siteVisits).values({ user_id: member.id, site_id: site.id });
  const image = await makeImage(testApp.db);
  const icon = await makeImage(testApp.db, { kind: 'icon' });
  const [groupUser = { id: 0 }] = await testApp.db.select().from(groupUsers).where(eq(groupUsers.group_id, group.id));
  const [owner = { id: 0 }] = await testApp.db
    .insert(owners)
    .values({ network_id: north.id, email: member.email })
    .returning();
  const [version = { id: 0 }] = await testApp.db
    .insert(emailTemplateVersions)
    .values({ network_id: north.id, kind: 'reset', html: '<p>x</p>', saved_by: member.email })
    .returning();
  const [record = { id: 0 }] = await testApp.db
    .insert(auditRecords)
    .values({
      network_id: north.id,
      actor: 'x',
      audit_type: 'OpenSocial',
      action: 'update',
      description: 'update desktop',
    })
    .returning();
  const [line = { id: 0 }] = await testApp.db
    .insert(loginLog)
    .values({
      network_id: north.id,
      user_id: people.member.user.id,
      site: site.domain,
      login_status: 'Success',
      reason: 'password',
      ip_address: '10.0.0.1',
    })
    .returning();
  const [key = { id: 0 }] = await testApp.db
    .insert(signingKeys)
    .values({
      network_id: north.id,
      state: 'retired',
      private_key: testApp.parts.vault.encrypt(privateKey),
      certificate,
    })
    .returning();
  const [arrival = { id: 0 }] = await testApp.db
    .insert(unknownArrivals)
    .values({ network_id: north.id, protocol: 'saml', identity: site.domain, address: '' })
    .returning();
  const [trashEntry = { id: 0 }] = await testApp.db
    .insert(trash)
    .values({
      network_id: north.id,
      kind: 'group',
      subject_id: group.id,
      label: 'Readers',
      detail: '',
      deleted_by: 'x',
      expires_at: new Date(Date.now() + 60_000),
      audit_id: record.id,
    })
    .returning();
  const inNetwork = { site, client, secret, group, groupUser, owner, key, member, image, icon, line };
  return { ...inNetwork, record, version, arrival, trashEntry };
};

/** Listens until the call is admitted. */
const listen = async (declared: AnyCall, role: Role, { params }: Given): Promise<void> => {
  const { status, stream } = await people[role].browser.listen(declared.path.build(params as never));
  if (status === 200) stream.destroy();
  else throw new ApiError(((await json(stream)) as ErrorAnswer).code);
};

const outcome = async (declared: AnyCall, role: Role, input: Given): Promise<'in' | ApiError['code']> => {
  try {
    if (declared.stream) await listen(declared, role, input);
    else await testApp.as(people[role].browser)(declared, input as never);
    return 'in';
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    expect(error.status).not.toBe(500);
    return refusals.has(error.code) ? error.code : 'in';
  }
};

const allCalls = Object.values(callsByNoun).flatMap((calls) => Object.entries(calls));

describe('§6 every call answers each role as it declares', () => {
  test.for(allCalls)('%s', async ([name, declared]) => {
    const input = given[name];
    if (!input) throw new Error(`Say in this test what ${name} is given.`);
    const things = await makeThings();
    for (const role of roles) {
      const answered = await outcome(declared, role, input({ ...people[role], north, things }));
      const wanted =
        ownNetworkChecks.has(name) && (role === 'foreignAdmin' || role === 'mainAdmin')
          ? 'not_found'
          : expected[declared.access.who][role];
      expect(answered, role).toBe(wanted);
    }
  });

  test.for(allCalls.filter(([, { access }]) => 'self' in access))(
    '%s refuses another user',
    async ([name, declared]) => {
      const other = given[name]?.({ ...people.admin, north, things: await makeThings() }) ?? {};
      expect(await outcome(declared, 'member', other)).toBe('forbidden');
    },
  );

  const freshCalls = allCalls.filter(([, { access }]) => 'needs' in access && access.needs === 'freshSignIn');

  test.for(freshCalls)('%s refuses a session whose sign-in is not fresh', async ([name, declared]) => {
    const things = await makeThings();
    for (const role of ['admin', 'mainAdmin'] as const) {
      const { user } = people[role];
      const hourAgo = new Date(Date.now() - 3_600_000);
      const stale = testApp.as(await signInto(testApp.db, testApp.browser(), user, hourAgo));
      const input = given[name]?.({ ...people[role], north, things });
      const answer = expected[declared.access.who][role];
      // Without the permission, the answer does not depend on the sign-in.
      const code = answer === 'in' ? 'reauth_required' : answer;
      await expect(stale(declared, input as never), role).rejects.toMatchObject({ code });
    }
  });

  test('the calls that need a fresh sign-in are declared', () => {
    expect(freshCalls.map(([name]) => name).toSorted()).toEqual([
      'applySiteRefresh',
      'copyUserInvitation',
      'createNetwork',
      'createOidcSecret',
      'createOwner',
      'emptyTrash',
      'endUserSessions',
      'fixSite',
      'removeFromTrash',
      'removeLogin',
      'removeOidcSecret',
      'removeOwner',
      'removeSigningKey',
      'removeSite',
      'replaceOidcKey',
      'resetUserFactors',
      'retireSigningKey',
      'switchAllSites',
      'switchSite',
    ]);
  });

  const keysOf = ({ access }: AnyCall) => ('network' in access ? Object.values(access.network) : []);
  const isOf = (key: 'samlSite' | 'oidcSite') => allCalls.filter(([, declared]) => keysOf(declared).includes(key));

  test.for([...isOf('samlSite'), ...isOf('oidcSite')])(
    '%s does not find a site of the other protocol',
    async ([name, declared]) => {
      const things = await makeThings();
      const swapped = { ...things, site: things.client, client: things.site };
      const input = (present: Things) => ({ ...people.admin, north, things: present });
      expect(await outcome(declared, 'admin', given[name]?.(input(swapped)) ?? {})).toBe('not_found');
      expect(await outcome(declared, 'admin', given[name]?.(input(things)) ?? {})).toBe('in');
    },
  );

  test('the calls that are about one protocol are declared', () => {
    expect(isOf('samlSite').map(([name]) => name)).toEqual([
      'getSubscriber',
      'updateSubscriber',
      'previewSiteAttributes',
      'getSiteRefresh',
      'refreshSite',
      'applySiteRefresh',
      'switchSite',
    ]);
    expect(isOf('oidcSite').map(([name]) => name)).toEqual([
      'getOidcClient',
      'updateOidcClient',
      'createOidcSecret',
      'removeOidcSecret',
      'previewClaims',
    ]);
  });

  test('a call from another site is refused for every role', async () => {
    const url = '/server/sso/network_mode';
    const body = JSON.stringify({ server: 'northlab', mode: 'All' });
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      // A link that somebody put on one of our own pages.
      { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate' },
      { origin: 'https://evil.example' },
      {},
    ]) {
      const answer = await people.admin.browser.fetch(
        url,
        { method: 'PUT', body, headers: { 'content-type': 'application/json' } },
        headers,
      );
      expect(answer.status).toBe(403);
      expect(await answer.json()).toMatchObject({ code: 'cross_site' });
    }
  });

  test('the cookie user_role is never read', async () => {
    people.member.browser.cookies.set('user_role', 'admin');
    people.admin.browser.cookies.set('user_role', 'user');
    const [, declared] = allCalls.find(([name]) => name === 'listDesktopApps') ?? [];
    const input = { params: { server_id: north.id } };
    expect(await outcome(declared as AnyCall, 'member', input)).toBe('forbidden');
    expect(await outcome(declared as AnyCall, 'admin', input)).toBe('in');
  });
});
