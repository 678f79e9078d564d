import type { SocialProvider } from './settings.schemas.ts';

/** What the settings of a network are called, in the form and in the record of changes. */
export const settingLabels = {
  logo: 'Global Logo',
  background: 'Global Background',
  footer_type: 'Footer type',
  footer: 'Footer Logo',
  footer_link: 'Footer link URL',
  custom_footer: 'Custom footer',
  password_expiration: 'Password expiration',
  password_history: 'Password history',
  password_length: 'Minimum length',
  password_complexity: 'Password complexity',
  user_inactivity: 'Lock user',
  failed_tries: 'Bad attempts',
  mfa: 'MFA',
  mfa_options: 'Permitted MFA options',
  mfa_remember_days: 'Days to trust a browser',
  sign_up: 'Sign up',
  session_idle_minutes: 'Idle session',
  session_hours: 'Longest session',
  terms_of_use: 'Terms of use URL',
  privacy_statement: 'Privacy URL',
  help_email: "'Need Help?' support email",
} as const;

export const complexityLabels: Readonly<Record<string, string>> = {
  lowerletter: 'Lower-case letter',
  upperletter: 'Upper-case letter',
  number: 'Number',
  special: 'Special character',
};

export const factorLabels: Readonly<Record<string, string>> = {
  google: 'Authenticator app (TOTP)',
  email: 'Code by email',
};

export const providerLabels: Readonly<Record<SocialProvider, string>> = {
  linkedin: 'LinkedIn',
  facebook: 'Facebook',
  google: 'Google',
  twitter: 'Twitter',
  github: 'GitHub',
};

/** The options of the password rules. */
export const expirationText = (months: number): string =>
  months === 0 ? 'Disable' : `After ${months} ${months === 1 ? 'month' : 'months'}`;

export const historyText = (count: number): string => `Not one of the last ${count}`;

export const lengthText = (length: number): string => `${length} characters`;
