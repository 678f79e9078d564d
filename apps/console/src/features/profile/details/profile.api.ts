import {
  getProfile,
  type Profile,
  type SessionUser,
  updateName,
  updateSession,
  uploadProfilePicture,
} from '@opensocial/contract';
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { sessionQuery } from '../../../api/session/session.ts';
import { callWithProgress } from '../../../api/transport/call-with-progress.ts';
import { call, sessionKey } from '../../../api/transport/caller.ts';
import { queryClient } from '../../../api/transport/query-client.ts';
import { hashedName } from './hashed-name.ts';

export const ownParams = ({ username }: SessionUser) => ({ params: { username } });
export const emailBody = ({ username }: SessionUser) => ({ email: username });
export const accountBody = (user: SessionUser) => ({ id: user.id, ...emailBody(user) });

const profileKey = ['profile'] as const;

export const profileQuery = (user: SessionUser) =>
  queryOptions({
    queryKey: [...profileKey, user.id],
    queryFn: ({ signal }) => call(getProfile, ownParams(user), signal),
  });

const refreshSession = () => queryClient.invalidateQueries({ queryKey: sessionKey });
/** Reloads the whole profile page, and the session, which contains the deadline for a second factor. */
export const refreshProfile = () =>
  Promise.all([refreshSession(), queryClient.invalidateQueries({ queryKey: profileKey })]);

export type Names = Pick<Profile, 'first_name' | 'last_name'>;

export const saveNames = (user: SessionUser) =>
  mutationOptions({
    mutationKey: ['profile', 'names'],
    mutationFn: (names: Names) => call(updateName, { body: { ...accountBody(user), ...names } }),
    onSuccess: async (_done, names) => {
      queryClient.setQueryData(profileQuery(user).queryKey, (cached) => cached && { ...cached, ...names });
      await refreshSession();
    },
  });

/** §7.8: uploads the renamed file, then updates the session with the new picture. */
export const sendPicture = async (
  user: SessionUser,
  file: File,
  onProgress: (percent: number) => void,
  signal: AbortSignal,
): Promise<void> => {
  const renamed = new File([file], await hashedName(user.name, file.name), { type: file.type });
  const { fullPath } = await callWithProgress(onProgress)(
    uploadProfilePicture,
    { body: emailBody(user), file: renamed },
    signal,
  );
  await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
  queryClient.setQueryData(sessionKey, await call(updateSession, { body: { picture: fullPath } }, signal));
};
