/** The default values of the settings form of a network (§2.10), without keys of social logins. */
export const defaultSettingsForm = {
  footer_link: '',
  custom_footer: '',
  password_expiration: 0,
  password_history: 3,
  password_length: 16,
  password_complexity: '',
  user_inactivity: 0,
  failed_tries: 10,
  mfa: 'Disable',
  mfa_options: '',
  terms_of_use: '',
  privacy_statement: '',
  help_email: '',
} as const;
