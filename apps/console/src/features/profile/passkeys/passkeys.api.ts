import {
  beginPasskey,
  createPasskey,
  listPasskeys,
  type NewPasskey,
  removePasskey,
  renamePasskey,
} from '@opensocial/contract';
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../../api/transport/caller.ts';
import { refreshProfile } from '../details/profile.api.ts';

export const passkeysQuery = queryOptions({
  queryKey: ['profile', 'passkeys'],
  queryFn: ({ signal }) => call(listPasskeys, {}, signal),
});

/**
 * Requests the options before the user types a name: this call may need a fresh sign-in, and the browser creates a passkey only
 * right after a click.
 */
export const requestPasskeyOptions = mutationOptions({
  mutationKey: ['passkeys', 'begin'],
  mutationFn: () => call(beginPasskey, {}),
});

export const addPasskey = async (name: string, passkey: NewPasskey) => {
  const added = await call(createPasskey, { body: { name, passkey } });
  await refreshProfile();
  return added;
};

export const savePasskeyName = mutationOptions({
  mutationKey: ['passkeys', 'rename'],
  mutationFn: ({ id, name }: { id: number; name: string }) => call(renamePasskey, { params: { id }, body: { name } }),
  onSuccess: refreshProfile,
});

export const deletePasskey = mutationOptions({
  mutationKey: ['passkeys', 'remove'],
  mutationFn: (id: number) => call(removePasskey, { params: { id } }),
  onSettled: refreshProfile,
});
