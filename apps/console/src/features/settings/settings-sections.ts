/** The sections of the settings in their order on the page. The id is the fragment of their address. */
export const settingsSections = {
  look: 'Look of the sign-in page',
  'social-logins': 'Social Logins',
  policy: 'Users Account Policy',
  identity: 'IdP Identity Information',
  'signing-keys': 'Signing keys and certificates',
  'oidc-keys': 'Keys for OpenID Connect',
  'legal-links': 'Legal links',
  footer: 'Footer Settings',
} as const;

export type SettingsSectionId = keyof typeof settingsSections;

export const sectionIds = Object.keys(settingsSections) as SettingsSectionId[];
