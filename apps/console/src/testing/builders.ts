import type { DesktopApp, Network, OidcClient, SessionUser, Site, SiteOverview } from '@opensocial/contract';

export const sessionUser = (changes: Partial<SessionUser> = {}): SessionUser => ({
  id: 1,
  name: 'Ana Moreno',
  username: 'ana@northlab.org',
  uid: 'uid-ana',
  is_admin: false,
  photoURL: '',
  default_server: 'northlab',
  server_id: 7,
  selected_server: 'northlab',
  selected_id: 7,
  sso_id: 'sso-northlab',
  mfa_email: '',
  enable_email_mfa: 'No',
  last_login_from: 'OpenSocial',
  mfa_due: null,
  ...changes,
});

export const desktopApp = (changes: Partial<DesktopApp> = {}): DesktopApp => ({
  id: 1,
  name: 'Reports',
  icon: '',
  icon_bg: '',
  icon_color: '',
  icon_background: '',
  text_color: '',
  text_background: '',
  icon_width: 61,
  login_url: 'https://reports.northlab.org/login',
  is_closed: false,
  closes_at: null,
  opens_at: null,
  is_unreachable: false,
  ...changes,
});

export const network = (changes: Partial<Network> = {}): Network => ({
  id: 7,
  sso_id: 'sso-northlab',
  url: 'northlab',
  role: 'user',
  ...changes,
});

export const site = (changes: Partial<Site> = {}): Site => ({
  version: 3,
  id: 5,
  name: 'Reports',
  domain: 'reports.northlab.org',
  identity: 'https://reports.northlab.org/sp',
  protocol: 'saml',
  site_name: 'Reports',
  login_url: '',
  status: 'Active',
  site_mode: 'Open',
  closed_message: '',
  message_title: '',
  message: '',
  domain_level_settings: 'yes',
  terms_of_use: '',
  privacy_statement: '',
  help_email: '',
  mfa: 'Disable',
  auth_options: [],
  custom_auth_options: '',
  email_login: 1,
  icon: '',
  icon_bg: '',
  icon_color: '',
  icon_background: '',
  text_color: '',
  text_background: '',
  icon_width: 61,
  icon_height: 61,
  logo: '',
  background: '',
  ...changes,
});

export const oidcClient = (changes: Partial<OidcClient> = {}): OidcClient => {
  const issuer = 'https://sso.example.org/oidc/northlab';
  return {
    id: 5,
    domain: 'charts.northlab.org',
    client_id: '0123456789abcdef0123456789abcdef',
    authentication: 'secret',
    redirect_uris: ['https://charts.northlab.org/login/generic_oauth'],
    post_logout_uris: [],
    backchannel_logout_uri: '',
    frontchannel_logout_uri: '',
    algorithm: 'RS256',
    requires_pkce: false,
    allows_offline: false,
    jwks: null,
    jwks_uri: '',
    endpoints: {
      issuer,
      discovery: `${issuer}/.well-known/openid-configuration`,
      authorization: `${issuer}/auth`,
      token: `${issuer}/token`,
      userinfo: `${issuer}/userinfo`,
      jwks: `${issuer}/jwks`,
      logout: `${issuer}/logout`,
    },
    secrets: [{ id: 11, hint: 'wxyz', created_at: '2026-03-01T10:00:00.000Z' }],
    version: 3,
    ...changes,
  };
};

export const siteOverview = (changes: Partial<SiteOverview> = {}): SiteOverview => ({
  id: 5,
  protocol: 'saml',
  on_desktop: false,
  groups: 0,
  sign_on: 'none',
  last_success: null,
  last_failure: null,
  certificates: [
    {
      use: 'identity_provider',
      fingerprint: 'AB:CD:EF',
      not_after: new Date(Date.now() + 400 * 86_400_000).toISOString(),
    },
  ],
  certificate: '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n',
  ...changes,
});

/** The answer of a search for members that finds one person. */
export const peopleNamedAna = {
  users: [
    {
      id: 9,
      uid: 'u',
      email: 'ana@northlab.org',
      fullname: 'Ana Moreno',
      firstname: 'Ana',
      lastname: 'Moreno',
      status: 'Confirmed',
      user_mode: 'Active',
      signup_server: 'northlab',
      invited: false,
    },
  ],
  all_users: 1,
  network_mode: 'AdminManaged',
};
