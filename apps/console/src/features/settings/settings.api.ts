import {
  type FooterType,
  getLoginReach,
  getPolicyReach,
  getSettings,
  type LoginReach,
  type NetworkImageRemoval,
  type NetworkSettings,
  type PolicyDraft,
  type PolicyReach,
  previewSignIn,
  removeNetworkImage,
  type SettingsChanges,
  type SignInPreviewDraft,
  type SocialProvider,
  setFooterType,
  updateNetworkImage,
  updateSettings,
} from '@opensocial/contract';
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/transport/caller.ts';
import type { NetworkRef } from '../../api/transport/network-ref.ts';
import { queryClient } from '../../api/transport/query-client.ts';

const settingsKey = ({ id }: NetworkRef) => ['settings', id] as const;
const params = ({ name }: NetworkRef) => ({ server: name });

export const settingsQuery = (network: NetworkRef) =>
  queryOptions({
    queryKey: settingsKey(network),
    queryFn: ({ signal }) => call(getSettings, { params: params(network) }, signal),
    // A form uses this data, so a background refetch must not replace the input.
    refetchOnWindowFocus: false,
    staleTime: 0,
    gcTime: 0,
  });

/** The current settings, for a form whose save was refused because another person has changed them. */
export const reloadSettings = (network: NetworkRef): Promise<NetworkSettings> =>
  queryClient.fetchQuery(settingsQuery(network));

const cacheSettings = (network: NetworkRef) => (settings: NetworkSettings) => {
  queryClient.setQueryData(settingsKey(network), settings);
};

export const saveSettings = (network: NetworkRef) =>
  mutationOptions({
    mutationKey: ['settings', 'update', network.id],
    mutationFn: ({ version, ...changes }: Omit<SettingsChanges, 'server'>) =>
      call(updateSettings, {
        params: params(network),
        body: { ...changes, server: network.name, based_on: version },
      }),
    onSuccess: cacheSettings(network),
  });

export const findImpact = (network: NetworkRef, policy: PolicyDraft): Promise<PolicyReach> =>
  call(getPolicyReach, { params: params(network), query: policy });

/** How many people of the network have no second factor. */
export const factorReachQuery = (network: NetworkRef) =>
  queryOptions({
    queryKey: [...settingsKey(network), 'factors'],
    queryFn: () => findImpact(network, { password_expiration: 0, user_inactivity: 0, mfa: 'Enable' }),
    staleTime: 0,
  });

/** The sites that would have no working login if only these services had keys. */
export const findLoginImpact = (network: NetworkRef, keys: readonly SocialProvider[]): Promise<LoginReach> =>
  call(getLoginReach, { params: params(network), query: { keys: keys.join(',') } });

/** The server knows the saved images; they are in the key, so that another image is shown at once. */
export const signInPreviewQuery = (network: NetworkRef, draft: SignInPreviewDraft, images: readonly string[]) =>
  queryOptions({
    queryKey: [...settingsKey(network), 'sign-in-preview', draft, images],
    queryFn: ({ signal }) => call(previewSignIn, { params: params(network), body: draft }, signal),
    retry: false,
    gcTime: 0,
  });

export const saveFooterType = (network: NetworkRef) =>
  mutationOptions({
    mutationKey: ['settings', 'footer_type', network.id],
    mutationFn: (footer_type: FooterType) =>
      call(setFooterType, { params: params(network), body: { footer_type, server: network.name } }),
    onSuccess: (_done, footer_type) => {
      queryClient.setQueryData(settingsQuery(network).queryKey, (cached) => cached && { ...cached, footer_type });
    },
  });

type NetworkImage = { logo: string } | { background: string } | { footer: string };

export const saveNetworkImage = async (network: NetworkRef, image: NetworkImage): Promise<void> => {
  cacheSettings(network)(await call(updateNetworkImage, { params: params(network), body: image }));
};

export const clearNetworkImage = async (network: NetworkRef, kind: NetworkImageRemoval): Promise<void> => {
  cacheSettings(network)(await call(removeNetworkImage, { params: { ...params(network), kind } }));
};
