import {
  createRecoveryCodes,
  disableMailMfa,
  enableMailMfa,
  getMfaSecret,
  getMfaStatus,
  removeMfa,
  resetMfa,
  type SessionUser,
  submitToken,
} from '@opensocial/contract';
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../../api/transport/caller.ts';
import { accountBody, emailBody, ownParams, refreshProfile } from '../details/profile.api.ts';

export const mfaStatusQuery = (user: SessionUser) =>
  queryOptions({
    queryKey: ['profile', 'mfa', user.id],
    queryFn: ({ signal }) => call(getMfaStatus, ownParams(user), signal),
  });

/** Every answer invalidates the previous secret, so it is requested once and never refetched in the background. */
export const mfaSecretQuery = (user: SessionUser) =>
  queryOptions({
    queryKey: ['mfa-secret', user.id],
    queryFn: ({ signal }) => call(getMfaSecret, ownParams(user), signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });

export const confirmTotpSecret = (user: SessionUser) =>
  mutationOptions({
    mutationKey: ['mfa', 'prove'],
    mutationFn: (proof: { secret: string; token: string }) =>
      call(submitToken, { body: { ...proof, ...emailBody(user) } }),
  });

export const clearMfa = (user: SessionUser) =>
  mutationOptions({
    mutationKey: ['mfa', 'clear'],
    mutationFn: (token: string) => call(removeMfa, { body: { token, ...emailBody(user) } }),
    onSuccess: refreshProfile,
  });

export const resetOwnMfa = (user: SessionUser) =>
  mutationOptions({
    mutationKey: ['mfa', 'reset'],
    mutationFn: () => call(resetMfa, { body: emailBody(user) }),
    onSuccess: refreshProfile,
  });

export const makeRecoveryCodes = (user: SessionUser) =>
  mutationOptions({
    mutationKey: ['mfa', 'recovery-codes'],
    mutationFn: () => call(createRecoveryCodes, { body: emailBody(user) }),
    onSuccess: refreshProfile,
  });

/** Sends a code by mail. Confirming the code enables email MFA. */
export const sendEmailCode = (user: SessionUser) =>
  mutationOptions({
    mutationKey: ['mfa', 'email', 'send'],
    mutationFn: () => call(enableMailMfa, { body: accountBody(user) }),
  });

export const confirmEmailMfa = (user: SessionUser) =>
  mutationOptions({
    mutationKey: ['mfa', 'email', 'confirm'],
    mutationFn: (code: string) => call(enableMailMfa, { body: { ...accountBody(user), code } }),
    onSuccess: refreshProfile,
  });

export const stopEmailMfa = (user: SessionUser) =>
  mutationOptions({
    mutationKey: ['mfa', 'email', 'stop'],
    mutationFn: () => call(disableMailMfa, { body: accountBody(user) }),
    onSuccess: refreshProfile,
  });
