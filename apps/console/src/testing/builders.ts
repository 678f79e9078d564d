import type { DesktopApp, Network, SessionUser } from '@opensocial/contract';

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
  ...changes,
});

export const network = (changes: Partial<Network> = {}): Network => ({
  id: 7,
  sso_id: 'sso-northlab',
  url: 'northlab',
  role: 'user',
  ...changes,
});
