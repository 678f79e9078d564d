import type { SettingsSectionId } from './settings-sections.ts';

/** Other words by which people look for a section. A search finds the beginning of each. */
export const settingsKeywords: Record<SettingsSectionId, readonly string[]> = {
  look: ['branding', 'brand', 'logo', 'background', 'picture', 'theme', 'colour', 'color'],
  'social-logins': ['google', 'facebook', 'linkedin', 'github', 'twitter', 'login provider'],
  policy: [
    'second factor',
    'two-factor',
    '2fa',
    'mfa',
    'multi-factor',
    'totp',
    'password policy',
    'password rules',
    'password expiration',
    'lock user',
    'session',
    'idle session',
    'sign up',
    'registration',
  ],
  identity: ['metadata', 'entity id', 'saml', 'single sign-on url', 'certificate'],
  'signing-keys': ['certificate', 'key rollover', 'rotate keys', 'x.509', 'saml'],
  'oidc-keys': ['jwks', 'oidc', 'openid', 'rotate keys'],
  'legal-links': ['terms of use', 'privacy', 'support', 'help email', 'imprint'],
  footer: ['imprint', 'page footer'],
};
