import { z } from 'zod';
import { afterFreshSignIn, networkAdmin } from '../access.ts';
import { call } from '../call.ts';
import { Done, Id, NamedNetwork } from '../fields.ts';
import { path } from '../paths.ts';
import {
  ClaimsPreview,
  ClaimsPreviewDraft,
  OidcClient,
  OidcClientChanges,
  OidcClientWithSecret,
  OidcEndpoints,
  OidcKey,
  OidcKeyReplacement,
  OidcSiteDraft,
} from './sites.oidc.schemas.ts';

export const getOidcEndpoints = call({
  method: 'GET',
  path: path('/server/sso/oidc_endpoints/:server_name', { server_name: NamedNetwork }),
  summary: 'The addresses of the OpenID Connect provider of a network.',
  access: networkAdmin({ server_name: 'name' }),
  answer: OidcEndpoints,
});

export const createOidcSite = call({
  method: 'POST',
  path: path('/server/sso/oidc_sites/:server_name', { server_name: NamedNetwork }),
  summary:
    'Register a site that uses OpenID Connect. The answer has its client ID, and its secret, which is not shown again.',
  access: networkAdmin({ server_name: 'name' }),
  body: OidcSiteDraft,
  answer: OidcClientWithSecret,
});

export const getOidcClient = call({
  method: 'GET',
  path: path('/server/sso/oidc_client/:site_id', { site_id: Id }),
  summary: 'The OpenID Connect parameters of a site, with the addresses of its provider.',
  access: networkAdmin({ site_id: 'oidcSite' }),
  answer: OidcClient,
});

export const updateOidcClient = call({
  method: 'PUT',
  path: path('/server/sso/oidc_client', {}),
  summary: "Change a site's OpenID Connect parameters.",
  access: networkAdmin({ id: 'oidcSite' }),
  body: OidcClientChanges,
  answer: OidcClient,
});

export const createOidcSecret = call({
  method: 'POST',
  path: path('/server/sso/oidc_secrets/:site_id', { site_id: Id }),
  summary:
    'Make a further secret for a client, which is not shown again. A client has at most two, so that one can replace the other.',
  access: afterFreshSignIn(networkAdmin({ site_id: 'oidcSite' })),
  answer: OidcClientWithSecret,
});

export const removeOidcSecret = call({
  method: 'DELETE',
  path: path('/server/sso/oidc_secrets/:site_id/:secret_id', { site_id: Id, secret_id: Id }),
  summary: 'Remove a secret of a client. The application can no longer use it.',
  access: afterFreshSignIn(networkAdmin({ site_id: 'oidcSite' })),
  answer: Done,
});

export const previewClaims = call({
  method: 'POST',
  path: path('/server/sso/oidc_claims_preview/:site_id', { site_id: Id }),
  summary: 'Show the claims that a site would get about a member of the network with this list. Nothing is saved.',
  access: networkAdmin({ site_id: 'oidcSite', user_id: 'member' }),
  body: ClaimsPreviewDraft,
  maxBody: 128 * 1_024,
  answer: ClaimsPreview,
});

export const listOidcKeys = call({
  method: 'GET',
  path: path('/server/sso/oidc_keys/:server', { server: NamedNetwork }),
  summary: 'The keys that sign the OpenID Connect tokens of a network. All of them are published.',
  access: networkAdmin({ server: 'name' }),
  answer: z.object({ keys: z.array(OidcKey) }),
});

export const replaceOidcKey = call({
  method: 'POST',
  path: path('/server/sso/oidc_keys/:server', { server: NamedNetwork }),
  summary:
    'Replace a key. The new one is published now and signs a day later, or at once if the former one is compromised.',
  access: afterFreshSignIn(networkAdmin({ server: 'name' })),
  body: OidcKeyReplacement,
  answer: Done,
});
