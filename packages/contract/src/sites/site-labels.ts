import type { Attribute, AttributeNameFormat, NameIdFormat, NameIdSource } from './sites.attributes.schemas.ts';
import type { OidcAuthentication, SiteProtocol } from './sites.oidc.schemas.ts';
import type { LogoutBinding, SignedElements } from './sites.schemas.ts';

/** What the fields of a site are called, in forms and in the record of changes. */
export const siteLabels = {
  protocol: 'Protocol',
  identity: 'SSO Identity',
  domain: 'FQDN',
  site_name: 'Site Name',
  login_url: 'Login URL',
  site_mode: 'Site mode',
  closed_message: 'Closed message',
  message_title: 'Message title',
  message: 'Message',
  status: 'Status',
  domain_level_settings: 'Use domain level settings',
  terms_of_use: 'Terms of use URL',
  privacy_statement: 'Privacy URL',
  help_email: "'Need Help?' support email",
  mfa: 'Multi-factor Authentication',
  auth_options: 'Login types',
  email_login: 'email login',
  custom_auth_options: 'Custom auth options',
  icon: 'Site Icon',
  icon_bg: 'Icon Picture',
  icon_color: 'Icon Color',
  icon_background: 'Icon Background Color',
  icon_width: 'Icon size',
  text_color: 'Icon Text Color',
  text_background: 'Icon Text Background Color',
  logo: 'Site Logo',
  background: 'Site Background',
  acs: 'SSO ACS URL',
  acs_index: 'Index of the default address',
  further_acs: 'Further ACS URLs',
  sls: 'SSO SLS URL',
  sls_binding: 'Logout binding',
  sls_response: 'Response URL (if different)',
  sls_soap: 'Back channel (SOAP) URL',
  update_url: 'Mode Update URL',
  certificate: 'Certificate',
  signed_requests: 'Requests to sign in must be signed too',
  signs: 'Signature',
  encrypts: 'Encrypt assertions',
  encryption_certificate: 'Certificate for encryption',
  metadata_url: 'Metadata URL',
  closes_at: 'Closes',
  opens_at: 'Opens',
  testers: 'Testers',
  checks_reachability: 'Check every hour that the application can be reached',
  shows_unreachable: 'Show on the tile when it cannot be reached',
} as const;

export const oidcLabels = {
  redirect_uris: 'Redirect URLs',
  post_logout_uris: 'Sign-out redirect URLs',
  authentication: 'Authentication of the application',
  jwks_uri: 'Keys URL (JWKS)',
  jwks: 'Keys',
  requires_pkce: 'Require PKCE',
  allows_offline: 'Allow refresh tokens after sign-out',
  algorithm: 'Signature of ID tokens',
  backchannel_logout_uri: 'Back-channel logout URL',
  frontchannel_logout_uri: 'Front-channel logout URL',
} as const;

type Words<Value extends string> = Readonly<Record<Value, string>>;

export const protocolLabels: Words<SiteProtocol> = { saml: 'SAML', oidc: 'OpenID Connect' };

export const authenticationLabels: Words<OidcAuthentication> = {
  secret: 'Secret',
  private_key_jwt: 'Private key (JWT)',
  none: 'Public client',
};

export const bindingLabels: Words<LogoutBinding> = {
  auto: 'Automatic',
  redirect: 'Redirect',
  post: 'POST',
  soap: 'SOAP (between servers)',
};

export const signatureLabels: Words<SignedElements> = { both: 'Both', assertion: 'Assertion', response: 'Response' };

export const nameIdFormatLabels: Words<NameIdFormat> = {
  requested: 'As requested',
  emailAddress: 'Email address',
  persistent: 'Persistent',
  transient: 'Transient',
  unspecified: 'Unspecified',
};

export const nameIdSourceLabels: Words<NameIdSource> = { email: 'Email address', uid: 'User ID' };

export const attributeSourceLabels: Words<Attribute['source']> = {
  email: 'Email address',
  uid: 'User ID',
  firstname: 'First name',
  lastname: 'Last name',
  fullname: 'Full name',
  groups: 'Groups of this site',
  network: 'Name of the network',
  persistent_id: 'Persistent id',
  constant: 'Constant',
};

export const attributeFormatLabels: Words<AttributeNameFormat> = {
  basic: 'Basic',
  uri: 'URI',
  unspecified: 'Unspecified',
};
