import {
  changePassword,
  createRecoveryCodes,
  disableMailMfa,
  enableMailMfa,
  finishPasswordChange,
  getMfaSecret,
  getMfaStatus,
  getPasswordPolicy,
  getProfile,
  listDevices,
  listLogins,
  type Profile,
  removeDevice,
  removeLogin,
  removeMfa,
  removeOtherDevices,
  resetMfa,
  type SessionUser,
  submitToken,
  updateName,
  updateSession,
  uploadProfilePicture,
} from '@opensocial/contract';
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { sessionQuery } from '../../api/session/session.ts';
import { callWithProgress } from '../../api/transport/call-with-progress.ts';
import { call, sessionKey } from '../../api/transport/caller.ts';
import { queryClient } from '../../api/transport/query-client.ts';
import { hashedName } from './hashed-name.ts';

const own = ({ username }: SessionUser) => ({ params: { username } });
const email = ({ username }: SessionUser) => ({ email: username });
const account = (user: SessionUser) => ({ id: user.id, ...email(user) });

const profileKey = ['profile'] as const;
const devicesKey = ['profile', 'devices'] as const;

export const profileQuery = (user: SessionUser) =>
  queryOptions({
    queryKey: [...profileKey, user.id],
    queryFn: ({ signal }) => call(getProfile, own(user), signal),
  });

const refreshSession = () => queryClient.invalidateQueries({ queryKey: sessionKey });
/** All that the screen shows, the devices and the second factors too, and the notice that asks owners for one. */
export const refreshProfile = () =>
  Promise.all([refreshSession(), queryClient.invalidateQueries({ queryKey: profileKey })]);

// ── Profile Details ──────────────────────────────────────────────────────────────────────────────────────────────────

export type Names = Pick<Profile, 'first_name' | 'last_name'>;

export const saveNames = (user: SessionUser) =>
  mutationOptions({
    mutationKey: ['profile', 'names'],
    mutationFn: (names: Names) => call(updateName, { body: { ...account(user), ...names } }),
    onSuccess: async (_done, names) => {
      queryClient.setQueryData(profileQuery(user).queryKey, (held) => held && { ...held, ...names });
      await refreshSession();
    },
  });

/** §7.8: the file, renamed; then the session with the new picture in it. */
export const sendPicture = async (
  user: SessionUser,
  file: File,
  onProgress: (percent: number) => void,
  signal: AbortSignal,
): Promise<void> => {
  const renamed = new File([file], await hashedName(user.name, file.name), { type: file.type });
  const { fullPath } = await callWithProgress(onProgress)(
    uploadProfilePicture,
    { body: email(user), file: renamed },
    signal,
  );
  await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
  queryClient.setQueryData(sessionKey, await call(updateSession, { body: { picture: fullPath } }, signal));
};

// ── Password ─────────────────────────────────────────────────────────────────────────────────────────────────────────

export const passwordPolicyQuery = ({ default_server }: SessionUser) =>
  queryOptions({
    queryKey: ['profile-policy', default_server],
    queryFn: ({ signal }) => call(getPasswordPolicy, { params: { default_server } }, signal),
  });

export type Passwords = { current_password: string; password: string };

export const savePassword = (user: SessionUser) =>
  mutationOptions({
    mutationKey: ['profile', 'password'],
    mutationFn: async ({ current_password, password }: Passwords) => {
      const done = await call(changePassword, { body: { ...email(user), current_password, password } });
      await call(finishPasswordChange, { body: { username: user.username, password } });
      return done;
    },
    onSuccess: refreshProfile,
  });

// ── Second factors ───────────────────────────────────────────────────────────────────────────────────────────────────

export const mfaStatusQuery = (user: SessionUser) =>
  queryOptions({
    queryKey: ['profile', 'mfa', user.id],
    queryFn: ({ signal }) => call(getMfaStatus, own(user), signal),
  });

/** Each answer makes the one before worthless: it is asked for once, and never behind the user's back. */
export const mfaSecretQuery = (user: SessionUser) =>
  queryOptions({
    queryKey: ['mfa-secret', user.id],
    queryFn: ({ signal }) => call(getMfaSecret, own(user), signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });

export const proveSecret = (user: SessionUser) =>
  mutationOptions({
    mutationKey: ['mfa', 'prove'],
    mutationFn: (proof: { secret: string; token: string }) => call(submitToken, { body: { ...proof, ...email(user) } }),
  });

export const clearMfa = (user: SessionUser) =>
  mutationOptions({
    mutationKey: ['mfa', 'clear'],
    mutationFn: (token: string) => call(removeMfa, { body: { token, ...email(user) } }),
    onSuccess: refreshProfile,
  });

export const resetOwnMfa = (user: SessionUser) =>
  mutationOptions({
    mutationKey: ['mfa', 'reset'],
    mutationFn: () => call(resetMfa, { body: email(user) }),
    onSuccess: refreshProfile,
  });

export const makeRecoveryCodes = (user: SessionUser) =>
  mutationOptions({
    mutationKey: ['mfa', 'recovery-codes'],
    mutationFn: () => call(createRecoveryCodes, { body: email(user) }),
    onSuccess: refreshProfile,
  });

/** Has a code mailed, which switches email codes on. */
export const sendEmailCode = (user: SessionUser) =>
  mutationOptions({
    mutationKey: ['mfa', 'email', 'send'],
    mutationFn: () => call(enableMailMfa, { body: account(user) }),
  });

export const confirmEmailMfa = (user: SessionUser) =>
  mutationOptions({
    mutationKey: ['mfa', 'email', 'confirm'],
    mutationFn: (code: string) => call(enableMailMfa, { body: { ...account(user), code } }),
    onSuccess: refreshProfile,
  });

export const stopEmailMfa = (user: SessionUser) =>
  mutationOptions({
    mutationKey: ['mfa', 'email', 'stop'],
    mutationFn: () => call(disableMailMfa, { body: account(user) }),
    onSuccess: refreshProfile,
  });

// ── Devices ──────────────────────────────────────────────────────────────────────────────────────────────────────────

export const devicesQuery = queryOptions({
  queryKey: devicesKey,
  queryFn: async ({ signal }) => (await call(listDevices, {}, signal)).devices,
});

export const signOutDevice = mutationOptions({
  mutationKey: ['devices', 'remove'],
  mutationFn: (id: number) => call(removeDevice, { params: { id } }),
  onSettled: () => queryClient.invalidateQueries({ queryKey: devicesKey }),
});

export const signOutOthers = mutationOptions({
  mutationKey: ['devices', 'remove-others'],
  mutationFn: () => call(removeOtherDevices, {}),
  onSettled: () => queryClient.invalidateQueries({ queryKey: devicesKey }),
});

// ── Linked sign-ins ──────────────────────────────────────────────────────────────────────────────────────────────────

export const loginsQuery = queryOptions({
  queryKey: ['profile', 'logins'],
  queryFn: async ({ signal }) => (await call(listLogins, {}, signal)).logins,
});

export const unlinkLogin = mutationOptions({
  mutationKey: ['logins', 'remove'],
  mutationFn: (id: number) => call(removeLogin, { params: { id } }),
  onSettled: refreshProfile,
});
