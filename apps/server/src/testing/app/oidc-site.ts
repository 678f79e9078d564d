import { randomBytes } from 'node:crypto';
import type { OidcParameters } from '@opensocial/contract';
import type { Queryable } from '../../database/connect.ts';
import type { sites } from '../../database/schema.ts';
import { makeSite } from './builders.ts';

type OidcSiteDraft = Partial<typeof sites.$inferInsert> & { network?: string; groups?: number[] };

const parameters: OidcParameters = {
  authentication: 'secret',
  redirect_uris: ['https://app.northlab.org/callback'],
  post_logout_uris: [],
  backchannel_logout_uri: '',
  frontchannel_logout_uri: '',
  algorithm: 'RS256',
  requires_pkce: true,
  allows_offline: true,
  jwks: null,
  jwks_uri: '',
};

/** A site of northlab that uses OpenID Connect, unless the draft says otherwise. */
export const makeOidcSite = (db: Queryable, oidc: Partial<OidcParameters> = {}, draft: OidcSiteDraft = {}) =>
  makeSite(db, {
    protocol: 'oidc',
    identity: randomBytes(16).toString('base64url'),
    acs: '',
    sls: null,
    oidc: { ...parameters, ...oidc },
    ...draft,
  });
