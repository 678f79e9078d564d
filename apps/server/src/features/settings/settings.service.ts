import {
  ApiError,
  maximumPasswordLength,
  type NetworkSettings,
  type PasswordPolicy,
  type SettingsChanges,
  SocialProvider,
  secretMask,
  type TemplateFields,
} from '@opensocial/contract';
import type { z } from 'zod';
import { cleanFooter } from '../../markup/footer.ts';
import { UnreadableHtml } from '../../markup/html.ts';
import type { Vault } from '../../secrets/encryption.ts';
import type { SettingsRecord } from './settings.queries.ts';

export { disableInactive, isInactive, isUnusedFor, lastUse } from './settings.inactivity.ts';
export { hasNoFactor, readSettings } from './settings.queries.ts';

type Settings = Pick<SettingsRecord, 'password_length' | 'password_complexity' | 'mfa'>;

const rules: Record<string, { pattern: string; name: string }> = {
  lowerletter: { pattern: '[a-z]', name: 'a lower-case letter' },
  upperletter: { pattern: '[A-Z]', name: 'an upper-case letter' },
  number: { pattern: '[0-9]', name: 'a number' },
  special: { pattern: '[^A-Za-z0-9]', name: 'a special character' },
};

/** A password that is the only proof has to be long; with a second factor it may be shorter. */
const lengthOf = (settings: Settings): number => settings.password_length ?? (settings.mfa === 'Enable' ? 8 : 16);

/** The password rules for the browser. They are always derived from the settings, never taken from a client. */
export const toPasswordPolicy = (settings: Settings): PasswordPolicy => {
  const length = lengthOf(settings);
  const requiredRules = settings.password_complexity.flatMap((name) => rules[name] ?? []);
  const wanted =
    requiredRules.length > 0
      ? `, with ${new Intl.ListFormat('en').format(requiredRules.map((rule) => rule.name))}`
      : '';
  return {
    password_regex: `^${requiredRules.map((rule) => `(?=[^]*${rule.pattern})`).join('')}[^]{${length},${maximumPasswordLength}}$`,
    password_length: length,
    regex_message: `The password must have at least ${length} characters${wanted}.`,
  };
};

export const followsPolicy = (settings: Settings, password: string): boolean =>
  password.length >= lengthOf(settings) &&
  password.length <= maximumPasswordLength &&
  settings.password_complexity.every((name) => new RegExp(rules[name]?.pattern ?? '').test(password));

type Secrets = Record<`${SocialProvider}_secret`, string>;

export const toSettings = (settings: SettingsRecord): Omit<NetworkSettings, 'version' | keyof TemplateFields> => ({
  logo: settings.logo ?? '',
  background: settings.background ?? '',
  footer: settings.footer ?? '',
  footer_type: settings.footer_type,
  footer_link: settings.footer_link ?? '',
  custom_footer: settings.custom_footer ?? '',
  linkedin_key: settings.linkedin_key ?? '',
  facebook_key: settings.facebook_key ?? '',
  google_key: settings.google_key ?? '',
  twitter_key: settings.twitter_key ?? '',
  github_key: settings.github_key ?? '',
  ...forEachSecret((name) => (settings[name] === null ? '' : secretMask)),
  password_expiration: settings.password_expiration as NetworkSettings['password_expiration'],
  password_history: settings.password_history as NetworkSettings['password_history'],
  password_length: lengthOf(settings) as NetworkSettings['password_length'],
  password_complexity: settings.password_complexity.join(','),
  user_inactivity: settings.user_inactivity,
  failed_tries: settings.failed_tries,
  mfa: settings.mfa,
  mfa_options: settings.mfa_options.join(','),
  mfa_remember_days: settings.mfa_remember_days,
  session_idle_minutes: settings.session_idle_minutes,
  session_hours: settings.session_hours,
  sign_up: settings.sign_up,
  terms_of_use: settings.terms_of_use ?? '',
  privacy_statement: settings.privacy_statement ?? '',
  help_email: settings.help_email ?? '',
});

const forEachSecret = <T>(value: (name: keyof Secrets) => T) =>
  Object.fromEntries(
    SocialProvider.options.map((provider) => [`${provider}_secret`, value(`${provider}_secret`)]),
  ) as Record<keyof Secrets, T>;

const listed = (words: string): string[] => (words === '' ? [] : words.split(','));

/** The footer without markup that is not allowed. */
export const readFooter = (html: string): string => {
  try {
    return cleanFooter(html);
  } catch (error) {
    if (error instanceof UnreadableHtml) throw new ApiError('invalid_input', { message: error.message, cause: error });
    throw error;
  }
};

/** The columns that the form changes. A secret that is sent as the mask stays unchanged. */
export const toColumns = (
  vault: Vault,
  stored: SettingsRecord,
  form: Omit<z.output<typeof SettingsChanges>, 'server'>,
): Partial<SettingsRecord> => ({
  footer_link: form.footer_link,
  linkedin_key: form.linkedin_key,
  facebook_key: form.facebook_key,
  google_key: form.google_key,
  twitter_key: form.twitter_key,
  github_key: form.github_key,
  password_expiration: form.password_expiration,
  password_history: form.password_history,
  password_length: form.password_length,
  user_inactivity: form.user_inactivity,
  failed_tries: form.failed_tries,
  mfa: form.mfa,
  mfa_remember_days: form.mfa_remember_days,
  session_idle_minutes: form.session_idle_minutes,
  session_hours: form.session_hours,
  sign_up: form.sign_up,
  terms_of_use: form.terms_of_use,
  privacy_statement: form.privacy_statement,
  help_email: form.help_email,
  custom_footer: readFooter(form.custom_footer),
  password_complexity: listed(form.password_complexity),
  mfa_options: listed(form.mfa_options),
  ...forEachSecret((name) => {
    if (form[name] === secretMask) return stored[name];
    return form[name] === '' ? null : vault.encrypt(form[name]);
  }),
});
