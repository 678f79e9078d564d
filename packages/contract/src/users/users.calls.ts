import { z } from 'zod';
import { afterFreshSignIn, mainAdmin, networkAdmin, signedIn } from '../access.ts';
import { LoginStatus, LogPage } from '../activity/activity.schemas.ts';
import { call } from '../call.ts';
import { DateRange, Day, Done, Flag, Id, InZone, NamedNetwork, Removed } from '../fields.ts';
import { GroupPage } from '../groups/groups.schemas.ts';
import { NetworkMode } from '../networks/networks.schemas.ts';
import { Counted, maximumFlatRows, page, sortedBy } from '../paging.ts';
import { listPath, path } from '../paths.ts';
import { separateThousands } from '../separate-thousands.ts';
import {
  ImportOutcome,
  ImportRow,
  InvitationLink,
  SignupStatistics,
  SiteUser,
  User,
  UserChange,
  UserChanges,
  UserDraft,
  UserGroup,
  UserMode,
  UserRow,
  UserSecurity,
  UserSite,
  UserStatus,
} from './users.schemas.ts';

const filters = { filter: UserStatus, user_mode: UserMode, time: DateRange };

export const listUsers = call({
  method: 'GET',
  path: listPath('/server/sso/users/:serverId', filters, '/:lastId/:serverName', {
    serverId: Id,
    serverName: NamedNetwork,
  }),
  summary:
    'The users of a network, by full name unless another order is requested. A keyword is matched against name and email; time filters by the creation date, in days of the time zone zone or of UTC.',
  query: sortedBy('email', 'name', 'last_login').extend({ ...InZone.shape, ...Counted.shape }),
  access: networkAdmin({ serverId: 'id', serverName: 'name' }),
  answer: page('users', UserRow, 'all_users').extend({ network_mode: NetworkMode }),
});

export const createUser = call({
  method: 'POST',
  path: path('/server/sso/signup', {}),
  summary: 'Invite somebody to a network. They are a member once they accept, whether or not they have an account.',
  access: networkAdmin({ sso_server_id: 'id', signup_server: 'name' }),
  body: UserDraft,
  answer: User,
});

export const getUser = call({
  method: 'GET',
  path: path('/server/sso/user/:user_id', { user_id: Id }),
  summary: 'A user, as a member of the selected network.',
  access: networkAdmin({ user_id: 'member' }),
  answer: User,
});

export const updateUser = call({
  method: 'PUT',
  path: path('/server/sso/user', {}),
  summary: "Change a user's names, if this is their only network. Other fields must be sent unchanged.",
  access: networkAdmin({ id: 'member', sso_server_id: 'id' }),
  body: UserChanges,
  answer: User,
});

export const setUserMode = call({
  method: 'PUT',
  path: path('/server/user/:userId/:mode', { userId: Id, mode: UserMode }),
  summary:
    'Disable or reactivate a user whose home network is this one. It affects the whole account if this is their only network.',
  access: networkAdmin({ userId: 'member' }),
  answer: Done,
});

export const changeUser = call({
  method: 'PUT',
  path: path('/server/user/:userId/mode/:mode/:serverName', {
    userId: Id,
    mode: UserChange,
    serverName: NamedNetwork,
  }),
  summary: "Set a user's mode or status. Users whose home is another network are not changed.",
  access: networkAdmin({ userId: 'member', serverName: 'name' }),
  answer: Done,
});

export const removeUser = call({
  method: 'POST',
  path: path('/server/sso/users/delete', {}),
  summary: 'End a membership. An account without any network is deleted.',
  access: networkAdmin({ id: 'member', server_id: 'id', sso_server: 'name' }),
  body: z.strictObject({ id: Id, server_id: Id, uid: z.string().max(64), sso_server: NamedNetwork }),
  answer: Removed,
});

export const setNeverDisable = call({
  method: 'POST',
  path: path('/server/sso/user/set_never_disable', {}),
  summary: 'Set whether an account can be disabled for inactivity.',
  access: networkAdmin({ user_id: 'member' }),
  body: z.strictObject({ user_id: Id, bypass_inactivity: Flag }),
  answer: Done,
});

export const resendInvitation = call({
  method: 'POST',
  path: path('/server/sso/user/resend_invitation', {}),
  summary: 'Send the invitation of an unconfirmed user again; links sent before stop working.',
  access: networkAdmin({ user_id: 'member', server_id: 'id' }),
  body: z.strictObject({ user_id: Id, server_id: Id }),
  answer: Done,
});

export const getUserSecurity = call({
  method: 'GET',
  path: path('/server/sso/user/security/:user_id/:server_id', { user_id: Id, server_id: Id }),
  summary: 'The sessions of a user in this network, and their second factors if this is their only network.',
  access: networkAdmin({ user_id: 'member', server_id: 'id' }),
  answer: UserSecurity,
});

export const endUserSessions = call({
  method: 'POST',
  path: path('/server/sso/user/end_sessions', {}),
  summary:
    'Sign a user out: of this network, or everywhere if this is their only network. The user is notified by email.',
  access: afterFreshSignIn(networkAdmin({ user_id: 'member', server_id: 'id' })),
  body: z.strictObject({ user_id: Id, server_id: Id }),
  answer: Done,
});

export const resetUserFactors = call({
  method: 'POST',
  path: path('/server/sso/user/reset_factors', {}),
  summary: 'Remove the second factors of a user who has lost them. The user is signed out and notified by email.',
  access: afterFreshSignIn(networkAdmin({ user_id: 'member', server_id: 'id' })),
  body: z.strictObject({ user_id: Id, server_id: Id }),
  answer: Done,
});

export const sendUserReset = call({
  method: 'POST',
  path: path('/server/sso/user/send_reset', {}),
  summary: 'Email a user a link to set a new password. The link is only in the email.',
  access: networkAdmin({ user_id: 'member', server_id: 'id' }),
  body: z.strictObject({ user_id: Id, server_id: Id }),
  answer: Done,
});

export const copyUserInvitation = call({
  method: 'POST',
  path: path('/server/sso/user/copy_invitation', {}),
  summary:
    'A link that accepts an invitation, for a service without a mail server; earlier links stop working. The address of an account that was activated by it is not confirmed.',
  access: afterFreshSignIn(networkAdmin({ user_id: 'member', server_id: 'id' })),
  body: z.strictObject({ user_id: Id, server_id: Id }),
  answer: InvitationLink,
});

export const getSignupStatistics = call({
  method: 'GET',
  path: path('/server/sso/signup_stats/:serverName/:fromDate/:toDate', {
    serverName: NamedNetwork,
    fromDate: Day,
    toDate: Day,
  }),
  summary:
    'How many users joined a network within a range of days, and how many of them are confirmed. Days are in the given time zone, or in UTC.',
  access: networkAdmin({ serverName: 'name' }),
  query: InZone,
  answer: SignupStatistics,
});

export const getAllSignupStatistics = call({
  method: 'GET',
  path: path('/server/sso/signup_stats/all/:fromDate/:toDate', { fromDate: Day, toDate: Day }),
  summary: 'The same for all networks.',
  access: mainAdmin,
  query: InZone,
  answer: SignupStatistics,
});

export const listUserSites = call({
  method: 'GET',
  path: path('/server/sso/user/sites/:user_id/:server_id', { user_id: Id, server_id: Id }),
  summary: `The sites that a user may enter; while the mode is Visited, those that they have visited. More than ${separateThousands(maximumFlatRows)} are refused with list_too_long.`,
  access: networkAdmin({ user_id: 'member', server_id: 'id' }),
  answer: z.array(UserSite),
});

export const listUserGroups = call({
  method: 'GET',
  path: path('/server/sso/user/groups/:user_id/:server_id', { user_id: Id, server_id: Id }),
  summary: 'The groups that a user is in.',
  access: networkAdmin({ user_id: 'member', server_id: 'id' }),
  answer: z.array(UserGroup),
});

export const removeUserGroup = call({
  method: 'DELETE',
  path: path('/server/sso/user/group/:id', { id: Id }),
  summary: 'Remove a user from a group, by the id of the membership.',
  access: networkAdmin({ id: 'groupUser' }),
  answer: Done,
});

export const listGroupsToAssignToUser = call({
  method: 'GET',
  path: listPath('/server/sso/user/assign/groups/:user_id', {}, '/:lastid/:server_id', {
    user_id: Id,
    server_id: Id,
  }),
  summary: 'The groups that a user is not in yet, by name.',
  access: networkAdmin({ user_id: 'member', server_id: 'id' }),
  answer: GroupPage,
});

export const assignGroup = call({
  method: 'POST',
  path: path('/server/sso/user/assign/groups', {}),
  summary: 'Add a user to a group.',
  access: networkAdmin({ group_id: 'group', user_id: 'member' }),
  body: z.strictObject({ group_id: Id, user_id: Id }),
  answer: Done,
});

export const listUserLog = call({
  method: 'GET',
  path: listPath(
    '/server/sso/userlogs/:email',
    { server: NamedNetwork, filter: LoginStatus, time: DateRange },
    '/:lastid',
    { email: z.string().min(1).max(254) },
  ),
  summary:
    "A user's login log. Users can read their own; owners can read those of the users of their network. Days are those of the time zone 'zone', by default UTC.",
  access: signedIn,
  query: InZone.extend(Counted.shape),
  answer: LogPage,
});

export const exportUsers = call({
  method: 'GET',
  path: listPath('/server/sso/users_export/:serverId', filters, '/:serverName', {
    serverId: Id,
    serverName: NamedNetwork,
  }),
  summary: 'The same list as a file of comma-separated values.',
  access: networkAdmin({ serverId: 'id', serverName: 'name' }),
  query: InZone,
  download: 'text/csv',
  answer: z.string(),
});

export const importUsers = call({
  method: 'POST',
  path: path('/server/sso/users_import/:server_id/:server_name', { server_id: Id, server_name: NamedNetwork }),
  summary:
    'Import users, a part of a file at a time. Without apply nothing is changed, and the answer says what would happen.',
  access: networkAdmin({ server_id: 'id', server_name: 'name' }),
  body: z.strictObject({ rows: z.array(ImportRow).min(1).max(200), apply: z.boolean() }),
  maxBody: 1_000_000,
  answer: z.object({ outcomes: z.array(ImportOutcome) }),
});

export const listSiteUsers = call({
  method: 'GET',
  path: listPath('/server/sso/site/users/:siteId', {}, '/:lastid/:serverId', { siteId: Id, serverId: Id }),
  summary: "The users of a site's groups; of a site without groups, all users of the network.",
  access: networkAdmin({ siteId: 'site', serverId: 'id' }),
  query: Counted,
  answer: page('users', SiteUser, 'all_users'),
});

export const listAllSiteUsers = call({
  method: 'GET',
  path: path('/server/sso/site/users/:siteId/:serverId', { siteId: Id, serverId: Id }),
  summary: `All of the same users as a flat list. More than ${separateThousands(maximumFlatRows)} are refused with list_too_long; read them page by page.`,
  access: networkAdmin({ siteId: 'site', serverId: 'id' }),
  answer: z.array(SiteUser),
});

export const delinkSiteUser = call({
  method: 'DELETE',
  path: path('/server/sso/site_delink/:userId/:siteId/:serverId', { userId: Id, siteId: Id, serverId: Id }),
  summary: 'Remove a visited site from the desktop of a user. Only in a network whose mode is Visited.',
  access: networkAdmin({ userId: 'member', siteId: 'site', serverId: 'id' }),
  answer: Done,
});
