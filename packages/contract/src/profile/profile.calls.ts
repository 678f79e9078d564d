import { z } from 'zod';
import { afterFreshSignIn, networkMember, self, signedIn } from '../access.ts';
import { PasswordPolicy } from '../activation/activation.schemas.ts';
import { call, uploadCall } from '../call.ts';
import { Done, Id, NamedNetwork, NamedUser, Password } from '../fields.ts';
import { path } from '../paths.ts';
import {
  Device,
  Invitation,
  LinkedLogin,
  NameChanges,
  OwnNetwork,
  PasswordChange,
  Profile,
  profilePictureUpload,
} from './profile.schemas.ts';

export const getProfile = call({
  method: 'GET',
  path: path('/server/sso/profile/:username', { username: NamedUser }),
  summary: 'Your own names, and how your account is protected.',
  access: self({ username: 'email' }),
  answer: Profile,
});

export const getPasswordPolicy = call({
  method: 'GET',
  path: path('/server/sso/password_regex/:default_server', { default_server: NamedNetwork }),
  summary: 'The password rules of one of your networks.',
  access: networkMember({ default_server: 'name' }),
  answer: PasswordPolicy,
});

export const changePassword = call({
  method: 'PUT',
  path: path('/server/sso/profile', {}),
  summary: 'Change your password by the rules of your home network. This ends your other sessions.',
  access: self({ email: 'email' }),
  body: PasswordChange,
  answer: Done,
});

export const finishPasswordChange = call({
  method: 'PUT',
  path: path('/server/sso_profile_done', {}),
  summary: 'Check the password that was just set, and end your other sessions. This does not change the password.',
  access: self({ username: 'email' }),
  body: z.strictObject({ username: NamedUser, password: Password }),
  answer: Done,
});

export const updateName = call({
  method: 'POST',
  path: path('/server/sso/user/update_name', {}),
  summary: 'Change your first and last name.',
  access: self({ id: 'id', email: 'email' }),
  body: NameChanges,
  answer: Done,
});

export const uploadProfilePicture = uploadCall({
  method: 'POST',
  path: path('/prxy/api/upload_profile_pic', {}),
  summary: 'Upload a picture of yourself. Call update_session to use it.',
  access: self({ email: 'email' }),
  upload: profilePictureUpload,
  body: z.object({ email: NamedUser }),
  answer: z.object({ fullPath: z.string() }),
});

export const listDevices = call({
  method: 'GET',
  path: path('/server/sso/devices', {}),
  summary: 'The browsers in which you are signed in: this one first, then by last use.',
  access: signedIn,
  answer: z.object({ devices: z.array(Device) }),
});

export const removeDevice = call({
  method: 'DELETE',
  path: path('/server/sso/devices/:id', { id: Id }),
  summary: 'Sign out one of your browsers.',
  access: signedIn,
  answer: Done,
});

export const removeOtherDevices = call({
  method: 'DELETE',
  path: path('/server/sso/devices', {}),
  summary: 'Sign out all your browsers except this one.',
  access: signedIn,
  answer: Done,
});

export const listLogins = call({
  method: 'GET',
  path: path('/server/sso/profile/logins', {}),
  summary: 'The other logins that are linked to your account, oldest first.',
  access: signedIn,
  answer: z.object({ logins: z.array(LinkedLogin) }),
});

export const removeLogin = call({
  method: 'DELETE',
  path: path('/server/sso/profile/logins/:id', { id: Id }),
  summary:
    'Unlink another login from your account, and end your other sessions. The last way to sign in cannot be removed.',
  access: afterFreshSignIn(signedIn),
  answer: Done,
});

export const listOwnNetworks = call({
  method: 'GET',
  path: path('/server/sso/profile/networks', {}),
  summary: 'The networks that you belong to, and the invitations that wait for your answer.',
  access: signedIn,
  answer: z.object({ networks: z.array(OwnNetwork), invitations: z.array(Invitation) }),
});

export const acceptInvitation = call({
  method: 'POST',
  path: path('/server/sso/profile/invitations/:server', { server: NamedNetwork }),
  summary: 'Accept an invitation: you become a member of the network, with the groups that it assigned to you.',
  access: signedIn,
  answer: Done,
});

export const declineInvitation = call({
  method: 'DELETE',
  path: path('/server/sso/profile/invitations/:server', { server: NamedNetwork }),
  summary: 'Decline an invitation. The network can invite you again.',
  access: signedIn,
  answer: Done,
});

export const leaveNetwork = call({
  method: 'DELETE',
  path: path('/server/sso/profile/networks/:server', { server: NamedNetwork }),
  summary: 'Leave a network. Your account stays in the others; your only network cannot be left.',
  access: signedIn,
  answer: Done,
});
