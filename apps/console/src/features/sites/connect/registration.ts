import { type OidcSiteDraft, SiteDraft } from '@opensocial/contract';
import { schemaFaults } from '../../../patterns/form/schema-faults.ts';
import { blankParameters, type NewParameters } from '../new-parameters.ts';
import type { Application as OidcApplication } from '../oidc/applications/application.ts';
import { blankValues, type OidcValues, toDraft } from '../oidc/oidc-values.ts';
import { domainOf } from '../recipes/recipes.ts';
import type { SamlApplication } from '../saml/applications/application.ts';
import type { ConnectDraft } from './connect-draft.ts';

/** The name and the icon of a new site. */
const tileOf = ({ name, icon }: ConnectDraft) => ({ site_name: name, ...(icon && { icon }) });

/** The parameters of an application at an address, as its recipe gives them. */
export const oidcValuesOf = (application: OidcApplication, base: string): OidcValues => ({
  ...blankValues,
  domain: domainOf(base),
  authentication: application.authentication,
  redirect_uris: application.redirectUris(base).join('\n'),
  post_logout_uris: base === '' ? '' : `${base}/`,
  // Our server reports sign-outs over https only.
  backchannel_logout_uri: (base.startsWith('https://') && application.backChannel?.(base)) || '',
  requires_pkce: application.usesPkce,
});

export const samlValuesOf = (application: SamlApplication, base: string): NewParameters => ({
  ...blankParameters,
  domain: domainOf(base),
  signed_requests: 'No',
  ...application.register(base),
  ...(application.release && { release: application.release }),
  ...(application.signs && { signs: application.signs }),
});

/** What is wrong with the parameters of an application, by field. */
export const samlFaultsOf = schemaFaults(SiteDraft);

/** A person opens the application itself, because only it can begin with OpenID Connect. */
export const toOidcDraft = (values: OidcValues, draft: ConnectDraft, base: string | undefined): OidcSiteDraft => ({
  ...toDraft(values),
  ...tileOf(draft),
  ...(base !== undefined && { login_url: `${base}/` }),
});

export const toSamlDraft = (values: NewParameters, draft: ConnectDraft): SiteDraft => ({ ...values, ...tileOf(draft) });
