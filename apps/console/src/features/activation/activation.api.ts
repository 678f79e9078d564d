import { confirmSignup, getActivationPolicy, verifyToken } from '@opensocial/contract';
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/transport/caller.ts';
import type { ActivationLink } from './activation-link.ts';

/** A query although the call is a POST: verifying does not consume the link. */
export const linkQuery = ({ email, token }: ActivationLink) =>
  queryOptions({
    queryKey: ['activation', 'link', email, token],
    queryFn: ({ signal }) => call(verifyToken, { body: { email, code: token } }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const passwordPolicyQuery = (network: string | undefined) =>
  queryOptions({
    queryKey: ['activation', 'policy', network],
    queryFn: ({ signal }) => call(getActivationPolicy, { query: { server: network } }, signal),
    enabled: network !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });

export const confirmAccount = ({ email, token }: ActivationLink) =>
  mutationOptions({
    mutationKey: ['activation', 'confirm', email],
    mutationFn: (password: string) =>
      call(confirmSignup, { body: { email, code: token, password, signup_from: window.location.origin } }),
  });
