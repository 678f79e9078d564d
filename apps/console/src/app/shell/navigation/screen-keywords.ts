/** Other words by which people look for a screen, by its label. A search finds the beginning of each. */
export const screenKeywords: Readonly<Record<string, readonly string[]>> = {
  Sites: ['applications', 'apps', 'service providers', 'saml', 'oidc'],
  Users: ['people', 'accounts', 'members', 'invitations'],
  Activity: ['log', 'sign-ins', 'audit', 'changes', 'history'],
  'Server Admins': ['owners', 'administrators'],
  'Email Templates': ['mail', 'smtp', 'outbox', 'invitation mail'],
  'OpenSocial Networks': ['tenants', 'servers', 'organisations'],
  Profile: ['my account', 'passkey', 'authenticator', 'password'],
  Trash: ['restore', 'undelete', 'recycle bin'],
};
